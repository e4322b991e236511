//! The model that is compiled into the binary; it costs nothing until it is asked.

use std::sync::OnceLock;

use safetensors::SafeTensors;

use super::tokens::{Vocabulary, word_at};

static MODEL: &[u8] = include_bytes!("../../models/carnet-static-1/model.safetensors");

/// The built-in embedder: a static multilingual model of 256 dimensions, read where it lies.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    vocabulary: Vocabulary<'static>,
    /// A row of `DIMS` signed bytes a piece.
    rows: &'static [u8],
    /// What a row is multiplied by; little-endian f32.
    scales: &'static [u8],
}

impl Builtin {
    /// Dimensions of its vectors.
    pub const DIMS: usize = 256;

    /// Its name, which the vectors of an index are marked with.
    pub const NAME: &'static str = "carnet-static-1";

    /// Returns the model, opened at its first use.
    ///
    /// `None` where the bytes in the binary are not the model: a build that went wrong, which a test would find.
    pub fn get() -> Option<&'static Self> {
        static OPEN: OnceLock<Option<Builtin>> = OnceLock::new();
        OPEN.get_or_init(Self::open).as_ref()
    }

    fn open() -> Option<Self> {
        let (_, metadata) = SafeTensors::read_metadata(MODEL).ok()?;
        let tensors = SafeTensors::deserialize(MODEL).ok()?;
        let tensor = |name: &str| tensors.tensor(name).ok().map(|tensor| tensor.data());
        let facts = metadata.metadata().as_ref()?;
        let vocabulary = Vocabulary {
            blob: tensor("piece_blob")?,
            offsets: tensor("piece_offsets")?,
            scores: tensor("piece_scores")?,
            hash: tensor("piece_hash")?,
            longest: facts.get("max_piece_bytes")?.parse().ok()?,
            unknown: facts.get("unk_penalty")?.parse().ok()?,
        };
        Some(Self { vocabulary, rows: tensor("embedding")?, scales: tensor("scale")? })
    }

    /// Returns the ids of the pieces of `text`.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokens(text)
    }

    /// Returns the vector of `text`: of length 1, or zero where the text holds nothing that the model knows.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let mut sum = vec![0.0_f32; Self::DIMS];
        for id in self.tokens(text) {
            let index = usize::try_from(id).unwrap_or_default();
            let scale = f32::from_bits(word_at(self.scales, index));
            let row =
                self.rows.get(index * Self::DIMS..(index + 1) * Self::DIMS).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// 50 sentences with the tokens and vectors of the reference.
    #[test]
    fn the_reference_comes_out() {
        let golden: Value =
            serde_json::from_str(include_str!("../../tests/golden/embedding.json")).unwrap();
        let model = Builtin::get().unwrap();
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
        let model = Builtin::get().unwrap();
        for text in ["", " \n", "\u{0}", "¤¤¤", "日本語", "a\u{301}", &"x".repeat(100_000), "🙂🙂"]
        {
            let norm: f32 = model.embed(text).iter().map(|value| value * value).sum();
            assert!(norm.abs() < 1e-6 || (norm - 1.0).abs() < 1e-4, "{text:.20} {norm}");
        }
    }
}
