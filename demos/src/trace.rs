//! Chrome trace of recent passes and pictures, for <chrome://tracing> and
//! <https://ui.perfetto.dev>.

use meniscus::PassTime;
use serde_json::{Value, json};

use crate::gpu_timer::Drawing;

/// Trace with rows for submissions, for their passes and for the window's pictures, in the device's
/// time.
pub(crate) fn chrome(passes: &[PassTime], pictures: &[Drawing]) -> String {
    let starts = passes.iter().map(|pass| pass.start).chain(pictures.iter().map(|p| p.start));
    let origin = starts.fold(f64::INFINITY, f64::min);
    let event = |row: u32, name: &str, start: f64, end: f64| {
        let (ts, dur) = (1e6 * (start - origin), 1e6 * (end - start));
        json!({ "name": name, "ph": "X", "ts": ts, "dur": dur, "pid": 1, "tid": row })
    };
    let row = |row: u32, name: &str| {
        let args = json!({ "name": name });
        json!({ "name": "thread_name", "ph": "M", "pid": 1, "tid": row, "args": args })
    };
    let mut events = vec![row(1, "submissions"), row(2, "passes"), row(3, "pictures")];
    for submission in passes.chunk_by(|a, b| a.submission == b.submission) {
        if let [first, .., last] = submission {
            let name = format!("submission {}", first.submission);
            events.push(event(1, &name, first.start, last.end));
        }
        events.extend(submission.iter().map(|pass| event(2, &pass.label, pass.start, pass.end)));
    }
    events.extend(pictures.iter().map(|drawing| {
        let name = if drawing.water { "water and interface" } else { "interface" };
        event(3, name, drawing.start, drawing.end)
    }));
    Value::to_string(&json!({ "traceEvents": events, "displayTimeUnit": "ms" })) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_json_with_every_picture() {
        let drawing = |start, end| Drawing { start, end, water: true };
        let text = chrome(&[], &[drawing(1.0, 1.5), drawing(2.0, 2.25)]);
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let events = value["traceEvents"].as_array().expect("events");
        assert_eq!(events.len(), 5);
        assert_eq!(
            (events[4]["ts"].as_f64(), events[4]["dur"].as_f64()),
            (Some(1e6), Some(0.25e6))
        );
    }
}
