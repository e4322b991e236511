//! Progress bars, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::recall::Progress;

/// Returns what draws the progress of a long piece of work on standard error, where that is a terminal.
pub(super) fn bar() -> impl FnMut(Progress) {
    let mut bar: Option<ProgressBar> = None;
    move |progress| {
        let all = u64::try_from(progress.all).unwrap_or_default();
        let done = u64::try_from(progress.done).unwrap_or_default();
        let drawn = bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(all), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} ({eta} left)");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        drawn.set_length(all);
        drawn.set_message(progress.what);
        drawn.set_position(done);
        if done >= all {
            drawn.finish_and_clear();
            bar = None;
        }
    }
}
