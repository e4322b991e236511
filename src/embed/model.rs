//! Static models: the one that is compiled into the binary, which costs nothing until it is asked, or one in a directory.

use std::{fs, path::Path, sync::OnceLock};

use rayon::prelude::*;

use safetensors::SafeTensors;

use super::{
    EmbedError, Embedder, Patience,
    tokens::{Vocabulary, word_at},
};
use crate::digest;

static MODEL: &[u8] = include_bytes!("../../models/carnet-static-1/model.safetensors");

/// A static model: the vector of a text is the sum of a row for each of its pieces, read where it lies.
#[derive(Clone, Debug)]
struct Model {
    vocabulary: Vocabulary<'static>,
    /// A row of `dims` signed bytes a piece.
    rows: &'static [u8],
    /// What a row is multiplied by; little-endian f32.
    scales: &'static [u8],
    dims: usize,
}

impl Model {
    fn read(bytes: &'static [u8]) -> Result<Self, String> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let tensor =
            |name: &str| tensors.tensor(name).map_err(|error| format!("`{name}`: {error}"));
        let data = |name: &str| tensor(name).map(|tensor| tensor.data());
        let facts = metadata.metadata().as_ref().ok_or("it says nothing of itself")?;
        let fact = |name: &str| facts.get(name).ok_or(format!("it does not say its `{name}`"));
        if fact("format")? != BUILTIN {
            return Err(format!("its format is not `{BUILTIN}`"));
        }
        let number = |name: &str| {
            fact(name)?.parse::<f32>().map_err(|_| format!("its `{name}` is no number"))
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few bytes")]
        let longest = number("max_piece_bytes")? as usize;
        let vocabulary = Vocabulary {
            blob: data("piece_blob")?,
            offsets: data("piece_offsets")?,
            scores: data("piece_scores")?,
            hash: data("piece_hash")?,
            longest,
            unknown: number("unk_penalty")?,
        };
        let dims = tensor("embedding")?.shape().get(1).copied().unwrap_or_default();
        Ok(Self { vocabulary, rows: data("embedding")?, scales: data("scale")?, dims })
    }

    /// Returns the ids of the pieces of `text`.
    fn tokens(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokens(text)
    }

    /// Returns the vector of `text`: of length 1, or zero where the text holds nothing that the model knows.
    fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0_f32; self.dims];
        for id in self.tokens(text) {
            let index = usize::try_from(id).unwrap_or_default();
            let scale = f32::from_bits(word_at(self.scales, index));
            let row = self.rows.get(index * self.dims..(index + 1) * self.dims).unwrap_or_default();
            for (total, value) in sum.iter_mut().zip(row) {
                *total += scale * f32::from(value.cast_signed());
            }
        }
        let norm = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
        if norm > 0.0 {
            for value in &mut sum {
                *value /= norm;
            }
        }
        sum
    }
}

/// Name of the model in the binary, and of its format.
const BUILTIN: &str = "carnet-static-1";

/// A static model as an embedder.
#[derive(Debug)]
pub struct Static {
    name: String,
    /// Read at its first use, where it is the one in the binary.
    model: OnceLock<Result<Model, String>>,
}

impl Static {
    /// The model in the binary.
    pub fn builtin() -> Self {
        Self { name: BUILTIN.to_owned(), model: OnceLock::new() }
    }

    /// The model of the same format in the directory `path`: its `model.safetensors`.
    pub fn open(path: &Path) -> Result<Self, EmbedError> {
        let file = path.join("model.safetensors");
        let failed = |why: String| EmbedError(format!("{}: {why}", file.display()));
        let bytes = fs::read(&file).map_err(|error| failed(error.to_string()))?;
        let name = format!("local {}", digest::short(&bytes, 16));
        // A process reads it once, and needs it until its end.
        let model = Model::read(Box::leak(bytes.into_boxed_slice())).map_err(failed)?;
        Ok(Self { name, model: OnceLock::from(Ok(model)) })
    }

    fn model(&self) -> Result<&Model, EmbedError> {
        let model = self.model.get_or_init(|| Model::read(MODEL));
        model.as_ref().map_err(|why| EmbedError(format!("the built-in model: {why}")))
    }
}

impl Embedder for Static {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn stays_here(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _: Patience) -> Result<Vec<Vec<f32>>, EmbedError> {
        let model = self.model()?;
        // Starting threads costs more than a few texts do.
        if texts.len() < 64 {
            return Ok(texts.iter().map(|text| model.embed(text)).collect());
        }
        Ok(texts.par_iter().map(|text| model.embed(text)).collect())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// 50 sentences with the tokens and vectors of the reference.
    #[test]
    fn the_reference_comes_out() {
        let golden: Value =
            serde_json::from_str(include_str!("../../tests/golden/embedding.json")).unwrap();
        let model = Model::read(MODEL).unwrap();
        let mut worst = 0.0_f64;
        for sentence in golden.as_array().unwrap() {
            let text = sentence["text"].as_str().unwrap();
            let tokens: Vec<u32> = serde_json::from_value(sentence["tokens"].clone()).unwrap();
            assert_eq!(model.tokens(text), tokens, "{text:?}");
            let expected: Vec<f64> = serde_json::from_value(sentence["vector"].clone()).unwrap();
            for (value, expected) in model.embed(text).into_iter().zip(expected) {
                worst = worst.max((f64::from(value) - expected).abs());
            }
        }
        assert_eq!(golden.as_array().unwrap().len(), 50);
        assert!(worst < 1e-5, "a component is off by {worst}");
    }

    #[test]
    fn any_text_has_a_vector_of_length_one_or_zero() {
        let model = Model::read(MODEL).unwrap();
        for text in ["", " \n", "\u{0}", "¤¤¤", "日本語", "a\u{301}", &"x".repeat(100_000), "🙂🙂"]
        {
            let norm: f32 = model.embed(text).iter().map(|value| value * value).sum();
            assert!(norm.abs() < 1e-6 || (norm - 1.0).abs() < 1e-4, "{text:.20} {norm}");
        }
    }
}
