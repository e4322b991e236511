//! Recall of a period, where the question is about one and the caller has set none.

use jiff::Timestamp;

use super::{
    Profile, RecallRequest, Recalled,
    recall::{THRESHOLD, Wanted},
};
use crate::{
    error::MemoryError,
    recall::{Aim, Filter, Period, Progress, narrow},
};

/// What the words of time in a question do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeWords {
    /// They narrow the recall to their period.
    #[default]
    Narrow,
    /// They are words like others: what is asked is no question.
    Keep,
}

impl Profile {
    /// Answers a question from the files as they are now; one about a period from the notes of that period, where there are any.
    pub fn recall(
        &self,
        request: &RecallRequest,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Recalled, MemoryError> {
        let now = Timestamp::now();
        let whole = Wanted {
            text: &request.query,
            filter: Filter {
                clearance: request.clearance.unwrap_or(self.config.recall.clearance),
                ..request.filter.clone()
            },
            limit: request.limit.unwrap_or(self.config.recall.limit),
            threshold: request.threshold.unwrap_or(THRESHOLD),
            latest: false,
            now,
        };
        let is_bounded = request.filter.since.is_some() || request.filter.until.is_some();
        let may_narrow = request.times == TimeWords::Narrow && !is_bounded;
        let Some(narrowed) = narrow(&request.query, now).filter(|_| may_narrow) else {
            return self.answer_to(&whole, progress);
        };
        let Period { since, until, .. } = narrowed.period;
        let text = if narrowed.rest.is_empty() { &request.query } else { &narrowed.rest };
        // Where any note of the period may be meant, none is held back.
        let threshold = match narrowed.aim {
            Aim::Something => whole.threshold,
            Aim::Anything | Aim::Everything => request.threshold.unwrap_or_default(),
        };
        let within = Wanted {
            text,
            filter: Filter { since, until, ..whole.filter.clone() },
            threshold,
            latest: narrowed.aim == Aim::Everything,
            ..whole
        };
        let found = self.answer_to(&within, progress)?;
        if !found.hits.is_empty() || !found.closest.is_empty() || whole.limit == 0 {
            return Ok(Recalled { period: Some(narrowed.period), ..found });
        }
        let all = self.answer_to(&whole, progress)?;
        let mut warnings = found.warnings;
        warnings.extend(
            all.warnings.iter().filter(|one| !warnings.contains(one)).cloned().collect::<Vec<_>>(),
        );
        let period = narrowed.period;
        warnings
            .push(format!("nothing is remembered of that time ({period}), so all times answer"));
        Ok(Recalled { warnings, ..all })
    }
}
