//! Close notes of one layer, which may say the same: those that contradict each other are told apart.

use jiff::{civil::Date, tz::Offset};
use rayon::prelude::*;

use super::{Difference, Sense};
use crate::{
    index::Vector,
    notes::{Layer, Note},
};

/// The cosine of the built-in embedder from which two notes may say the same.
const CLOSE: f32 = 0.92;

/// Notes of one cluster at most: what a reader can still compare.
const MOST: usize = 10;

/// Notes that each note is compared with in the end, the closest ones.
const NEAREST: usize = 16;

/// Contradictions kept of each note.
const OPPOSED: usize = 3;

/// Contradictions that are shown at most.
pub const SHOWN: usize = 100;

/// A note that may be merged.
#[derive(Debug)]
pub struct Candidate<'n> {
    /// Its layer.
    pub layer: Layer,
    /// What it may differ in from others.
    pub sense: Sense,
    /// What it is about.
    pub vector: &'n Vector,
    /// The day of an episode: what happened on another day happened again.
    pub day: Option<Date>,
}

impl<'n> Candidate<'n> {
    /// Takes `note`, whose text has the vector `vector`.
    pub fn of(note: &Note, vector: &'n Vector) -> Self {
        let day = Offset::UTC.to_datetime(note.created).date();
        Self {
            layer: note.layer,
            sense: Sense::of(note.text()),
            vector,
            day: (note.layer == Layer::Episodes).then_some(day),
        }
    }
}

/// Notes that may say the same, by their places.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The least cosine of two of them.
    pub similarity: f32,
    /// In the order in which they were given.
    pub notes: Vec<usize>,
}

/// Two notes that sound alike and differ, by their places.
#[derive(Clone, Debug, PartialEq)]
pub struct Contradiction {
    /// Their cosine.
    pub similarity: f32,
    /// In what they differ.
    pub differs: Difference,
    /// Both.
    pub notes: [usize; 2],
}

/// What close notes there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// The closest first.
    pub clusters: Vec<Cluster>,
    /// The closest first, and of each note a few only.
    pub contradictions: Vec<Contradiction>,
}

/// Returns how close two notes are: `None` where they are not, or may not be compared.
fn closeness(one: &Candidate<'_>, other: &Candidate<'_>) -> Option<f32> {
    let comparable = one.layer == other.layer && one.day == other.day;
    let cosine = if comparable { one.vector.cosine(other.vector) } else { None };
    cosine.filter(|cosine| *cosine >= CLOSE)
}

/// Returns why `notes` are no cluster; `None` where they are one.
pub fn contrast(notes: &[Candidate<'_>]) -> Option<String> {
    for (at, one) in notes.iter().enumerate() {
        for other in notes.iter().skip(at + 1) {
            if closeness(one, other).is_none() {
                return Some("its notes are not close enough to say the same".to_owned());
            }
            if let Some(differs) = one.sense.differs(&other.sense) {
                return Some(format!("its notes contradict each other: {}", differs.as_str()));
            }
        }
    }
    (notes.len() < 2).then(|| "it has fewer than two notes".to_owned())
}

/// Finds the clusters of `notes`, in which any two are close and do not differ, and the contradictions.
pub fn clusters(notes: &[Candidate<'_>]) -> Clusters {
    let near: Vec<_> = (0..notes.len()).into_par_iter().map(|at| neighbours(notes, at)).collect();
    let mut pairs = Vec::new();
    let mut contradictions = Vec::new();
    for (same, opposed) in near {
        pairs.extend(same);
        contradictions.extend(opposed);
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    contradictions
        .sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.notes.cmp(&b.notes)));
    contradictions.truncate(SHOWN);
    Clusters { clusters: joined(notes, &pairs), contradictions }
}

type Pair = (f32, [usize; 2]);

/// Returns the notes after `at` that are closest to it, and those that are close and differ.
fn neighbours(notes: &[Candidate<'_>], at: usize) -> (Vec<Pair>, Vec<Contradiction>) {
    let (mut same, mut opposed): (Vec<Pair>, Vec<Contradiction>) = (Vec::new(), Vec::new());
    let Some(one) = notes.get(at) else { return (same, opposed) };
    for (place, other) in notes.iter().enumerate().skip(at + 1) {
        let Some(similarity) = closeness(one, other) else { continue };
        match one.sense.differs(&other.sense) {
            None => keep_best(&mut same, (similarity, [at, place]), NEAREST, |pair| pair.0),
            Some(differs) => {
                let found = Contradiction { similarity, differs, notes: [at, place] };
                keep_best(&mut opposed, found, OPPOSED, |one| one.similarity);
            }
        }
    }
    (same, opposed)
}

/// Adds `new` to the `most` best, which stand in order.
fn keep_best<T>(best: &mut Vec<T>, new: T, most: usize, score: impl Fn(&T) -> f32) {
    let at = best.partition_point(|one| score(one) >= score(&new));
    if at < most {
        best.insert(at, new);
        best.truncate(most);
    }
}

/// Joins the pairs, the closest first, into clusters in which any two are close and do not differ.
fn joined(notes: &[Candidate<'_>], pairs: &[Pair]) -> Vec<Cluster> {
    let mut place: Vec<usize> = (0..notes.len()).collect();
    let mut groups: Vec<Vec<usize>> = place.iter().map(|at| vec![*at]).collect();
    for (_, [one, other]) in pairs {
        let (Some(&a), Some(&b)) = (place.get(*one), place.get(*other)) else { continue };
        let (Some(left), Some(right)) = (groups.get(a), groups.get(b)) else { continue };
        let fits = a != b
            && left.len() + right.len() <= MOST
            && left.iter().all(|one| right.iter().all(|other| agree(notes, *one, *other)));
        if !fits {
            continue;
        }
        let moved = groups.get_mut(b).map(std::mem::take).unwrap_or_default();
        for note in &moved {
            place.get_mut(*note).into_iter().for_each(|place| *place = a);
        }
        groups.get_mut(a).into_iter().for_each(|group| group.extend(&moved));
    }
    let mut clusters: Vec<_> = groups
        .into_iter()
        .filter(|group| group.len() > 1)
        .map(|mut group| {
            group.sort_unstable();
            Cluster { similarity: least(notes, &group), notes: group }
        })
        .collect();
    clusters.sort_by(|a, b| b.similarity.total_cmp(&a.similarity).then(a.notes.cmp(&b.notes)));
    clusters
}

fn agree(notes: &[Candidate<'_>], one: usize, other: usize) -> bool {
    let both = notes.get(one).zip(notes.get(other));
    both.is_some_and(|(one, other)| {
        closeness(one, other).is_some() && one.sense.differs(&other.sense).is_none()
    })
}

fn least(notes: &[Candidate<'_>], group: &[usize]) -> f32 {
    let mut least = 1.0_f32;
    for (at, one) in group.iter().enumerate() {
        for other in group.iter().skip(at + 1) {
            let both = notes.get(*one).zip(notes.get(*other));
            let cosine = both.and_then(|(one, other)| closeness(one, other));
            least = least.min(cosine.unwrap_or(0.0));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds clusters of texts, each with the direction it points to.
    fn found(texts: &[(&str, f32)]) -> Clusters {
        let vectors: Vec<_> =
            texts.iter().map(|(_, angle)| Vector::of(&[angle.cos(), angle.sin()])).collect();
        let note =
            |text: &str| Note::read("facts/a", Layer::Facts, text, jiff::Timestamp::UNIX_EPOCH);
        let candidates: Vec<_> = texts
            .iter()
            .zip(&vectors)
            .map(|((text, _), vector)| Candidate::of(&note(text), vector))
            .collect();
        clusters(&candidates)
    }

    #[test]
    fn any_two_of_a_cluster_are_close() {
        // 0.3 radians apart are close, 0.6 are not.
        let found = found(&[("apples", 0.0), ("pears", 0.3), ("plums", 0.6), ("figs", 2.0)]);
        let places: Vec<_> = found.clusters.iter().map(|cluster| cluster.notes.clone()).collect();
        assert!(places.len() == 1 && places[0].len() == 2, "{places:?}");
        assert!(found.clusters[0].similarity > 0.95 && found.contradictions.is_empty());
    }

    #[test]
    fn what_differs_is_shown_apart() {
        let found = found(&[
            ("We deploy on Fridays", 0.0),
            ("We do not deploy on Fridays", 0.0),
            ("Fridays are when we deploy", 0.0),
        ]);
        assert_eq!(found.contradictions[0].differs, Difference::Polarity);
        assert!(found.clusters.iter().all(|cluster| !cluster.notes.contains(&1)));
    }

    #[test]
    fn a_cluster_stays_small_enough_to_be_read() {
        let texts = vec![("the same text", 0.0); 25];
        let sizes: Vec<_> =
            found(&texts).clusters.iter().map(|cluster| cluster.notes.len()).collect();
        assert!(sizes.iter().all(|size| *size <= MOST) && sizes.iter().sum::<usize>() >= 20);
    }
}
