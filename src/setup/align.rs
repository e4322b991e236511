//! Which elements of a list become which of another.

use serde_json::Value;

/// Returns which elements become which, in order, so that as much as can be stays as it is.
pub(super) fn align(old: &[Value], new: &[Value]) -> Vec<(usize, usize)> {
    // The best from each pair of places on.
    let width = new.len() + 1;
    let mut best = vec![0; (old.len() + 1) * width];
    let at = |best: &[usize], i: usize, j: usize| best.get(i * width + j).copied().unwrap_or(0);
    let like = |i: usize, j: usize| match (old.get(i), new.get(j)) {
        (Some(old), Some(new)) => likeness(old, new),
        _ => 0,
    };
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let paired = match like(i, j) {
                0 => 0,
                like => like + at(&best, i + 1, j + 1),
            };
            let value = paired.max(at(&best, i + 1, j)).max(at(&best, i, j + 1));
            if let Some(place) = best.get_mut(i * width + j) {
                *place = value;
            }
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let like = like(i, j);
        if like > 0 && at(&best, i, j) == like + at(&best, i + 1, j + 1) {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&best, i, j) == at(&best, i + 1, j) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// Returns how much two values have in common: values that differ in themselves have nothing.
fn likeness(one: &Value, other: &Value) -> usize {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let shared = |(key, value): (&String, &Value)| {
                other.get(key).map_or(0, |other| 1 + likeness(value, other))
            };
            1 + one.iter().map(shared).sum::<usize>()
        }
        (Value::Array(one), Value::Array(other)) => {
            let best =
                |value: &Value| other.iter().map(|other| likeness(value, other)).max().unwrap_or(0);
            1 + one.iter().map(best).sum::<usize>()
        }
        (one, other) if one == other => 2,
        _ => 0,
    }
}
