//! Which notes may answer.

use std::ops::Bound;

use jiff::Timestamp;
use tantivy::{
    Term,
    query::{BooleanQuery, Occur, Query, RangeQuery, TermQuery},
    schema::{Field, IndexRecordOption},
};

use super::{Level, schema::Fields};
use crate::{config::Sensitivity, notes::Layer};

/// Which notes may answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// These layers only; all but the archive where there are none.
    pub layers: Vec<Layer>,
    /// This category only.
    pub category: Option<String>,
    /// Notes with all of these tags only.
    pub tags: Vec<String>,
    /// Created at this time or later.
    pub since: Option<Timestamp>,
    /// Created before this time.
    pub until: Option<Timestamp>,
    /// The most sensitive level that is opened.
    pub clearance: Sensitivity,
    /// Whether the archive answers too.
    pub archive: bool,
}

impl Filter {
    /// Returns whether notes of `level` may answer at all; the indexes of other levels are not opened.
    pub fn opens(&self, level: Level) -> bool {
        let asked = if level.archive {
            self.opens_archive()
        } else {
            self.layers.is_empty() || self.layers.iter().any(|layer| *layer != Layer::Archive)
        };
        asked && level.sensitivity <= self.clearance
    }

    /// Returns whether what has left memory may answer.
    pub fn opens_archive(&self) -> bool {
        self.archive || self.layers.contains(&Layer::Archive)
    }

    /// Returns the filter as a query over the notes of one level; `None` where it admits all of them.
    ///
    /// `expired` tells that some of them have stopped being true before `now`.
    pub(super) fn query(
        &self,
        fields: &Fields,
        archive: bool,
        expired: bool,
        now: Timestamp,
    ) -> Option<Box<dyn Query>> {
        let mut parts: Vec<Box<dyn Query>> = Vec::new();
        if !self.layers.is_empty() && !archive {
            let layers = self.layers.iter().map(|layer| exactly(fields.layer, layer.as_str()));
            parts.push(Box::new(BooleanQuery::union(layers.collect())));
        }
        parts.extend(self.category.iter().map(|category| exactly(fields.category, category)));
        parts.extend(self.tags.iter().map(|tag| exactly(fields.tag, tag)));
        let bound = |field: Field, at: Timestamp| Term::from_field_i64(field, at.as_microsecond());
        if self.since.is_some() || self.until.is_some() {
            let since = self.since.map(|at| bound(fields.created, at));
            let until = self.until.map(|at| bound(fields.created, at));
            parts.push(Box::new(RangeQuery::new(
                since.map_or(Bound::Unbounded, Bound::Included),
                until.map_or(Bound::Unbounded, Bound::Excluded),
            )));
        }
        if expired {
            let now = Bound::Excluded(bound(fields.expires, now));
            parts.push(Box::new(RangeQuery::new(now, Bound::Unbounded)));
        }
        let parts: Vec<_> = parts.into_iter().map(|part| (Occur::Must, part)).collect();
        (!parts.is_empty()).then(|| Box::new(BooleanQuery::new(parts)) as Box<dyn Query>)
    }
}

fn exactly(field: Field, text: &str) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic))
}
