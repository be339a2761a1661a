//! The page that `morsel eval --html` writes.

use std::fmt::{Result, Write};
use std::path::Path;

use super::format::{percent, speed};
use super::plot::{self, escaped};
use super::score::{CARBS_BOUND, Comparison, EvalReport, MissKind, ScoredMeal, SetSummary};

/// The widest range on the plot, in tenths of the width given.
const MAX_WIDTH_TENTHS: i32 = 30;

/// Returns the whole page.
pub(super) fn page(
    file: &Path,
    meals: &[ScoredMeal<'_>],
    report: &EvalReport,
) -> std::result::Result<String, std::fmt::Error> {
    let mut out = String::new();
    let name = escaped(&file.file_name().unwrap_or_default().to_string_lossy());
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Accuracy on {name}</title>\n<style>\n{}</style>\n<main>\n\
         <h1>Accuracy on {name}</h1>\n<p>{} meals, morsel {}. {}.</p>\n",
        include_str!("page.css"),
        report.meals,
        env!("CARGO_PKG_VERSION"),
        speed(&report.speed)
    )?;
    let sets = &report.sets;
    section(&mut out, "By set", "How many estimates are close, and the mean absolute errors.", |out| {
        let rows: Vec<(&str, [f64; 2])> =
            sets.iter().map(|set| (set.set.as_str(), [set.accuracy, set.calories_within_20_percent])).collect();
        plot::bars(out, ["carbs within 7.5 g", "calories within 20 %"], &rows)?;
        accuracy(out, sets)
    })?;
    let points: Vec<(f64, f64)> =
        meals.iter().map(ScoredMeal::carbs).map(|carbs| (carbs.gold, carbs.estimated)).collect();
    let end = plot::round_end(points.iter().flat_map(|(gold, estimated)| [*gold, *estimated]).collect());
    let beyond = points.iter().filter(|(gold, estimated)| *gold > end || *estimated > end).count();
    let note = format!(
        "Each dot is one or more meals; darker dots are more meals. Estimates on the solid line are exact, those between \
         the dashed lines are within 7.5 g. {beyond} meals with more than {end} g are drawn at the edge."
    );
    section(&mut out, "Estimated and true carbs", &note, |out| plot::scatter(out, &points, end, CARBS_BOUND))?;
    let errors: Vec<f64> = points.iter().map(|(gold, estimated)| estimated - gold).collect();
    let note =
        "Estimates right of zero are too high, those left of it too low. The outermost bars hold everything beyond.";
    section(&mut out, "Carb errors", note, |out| plot::histogram(out, &errors, CARBS_BOUND))?;
    let note = "Meals whose carbs are off by 7.5 g or more. If the number of foods is right, either a food was \
                mistaken for another, or only an amount is wrong. Foods without calories are not counted.";
    section(&mut out, "Causes of errors", note, |out| wrong(out, sets))?;
    let note = "How many meals have their true value inside the estimated range. The dots are the ranges as given; the \
                curves show narrower and wider ones. The target is four meals out of five.";
    section(&mut out, "Ranges", note, |out| {
        let curves = [curve(meals, ScoredMeal::carbs), curve(meals, ScoredMeal::calories)];
        plot::curves(out, ["carbs", "calories"], &curves)
    })?;
    out.push_str("</main>\n</html>\n");
    Ok(out)
}

fn section(out: &mut String, title: &str, note: &str, inside: impl FnOnce(&mut String) -> Result) -> Result {
    write!(out, "<section>\n<h2>{title}</h2>\n<p>{note}</p>\n<div class=\"wide\">")?;
    inside(out)?;
    out.write_str("</div>\n</section>\n")
}

/// Returns the share of meals inside their ranges at each width.
fn curve<'a>(meals: &[ScoredMeal<'a>], number: impl Fn(&ScoredMeal<'a>) -> Comparison) -> Vec<(f64, f64)> {
    let share = |times: f64| {
        let inside = meals.iter().filter(|meal| number(meal).is_inside(times)).count();
        inside as f64 / meals.len().max(1) as f64
    };
    (0..=MAX_WIDTH_TENTHS).map(|tenths| f64::from(tenths) / 10.0).map(|times| (times, share(times))).collect()
}

fn accuracy(out: &mut String, sets: &[SetSummary]) -> Result {
    let heading = [
        "Set",
        "Meals",
        "Carbs within 7.5&nbsp;g",
        "Carbs error",
        "Protein error",
        "Fat error",
        "kcal error",
        "kcal ±20&nbsp;%",
        "Carbs in range",
        "kcal in range",
    ];
    table(out, heading, sets, |set| {
        vec![
            set.meals.to_string(),
            percent(set.accuracy),
            format!("{:.2} g", set.mean_error.carbs),
            format!("{:.2} g", set.mean_error.protein),
            format!("{:.2} g", set.mean_error.fat),
            format!("{:.1}", set.mean_error.calories),
            percent(set.calories_within_20_percent),
            percent(set.carbs_in_range),
            percent(set.calories_in_range),
        ]
    })
}

fn wrong(out: &mut String, sets: &[SetSummary]) -> Result {
    let heading = ["Set", "Meals"].into_iter().chain(MissKind::ALL.map(MissKind::title));
    table(out, heading, sets, |set| {
        let of_all = |count: usize| format!("{count} ({})", percent(count as f64 / set.meals as f64));
        let kinds = MissKind::ALL.map(|kind| set.errors.of(kind));
        std::iter::once(set.errors.all()).chain(kinds).map(of_all).collect()
    })
}

fn table<'a>(
    out: &mut String,
    heading: impl IntoIterator<Item = &'a str>,
    sets: &[SetSummary],
    cells: impl Fn(&SetSummary) -> Vec<String>,
) -> Result {
    out.push_str("<table><thead><tr>");
    heading.into_iter().try_for_each(|name| write!(out, "<th scope=\"col\">{name}</th>"))?;
    out.push_str("</tr></thead><tbody>");
    for set in sets {
        write!(out, "<tr><th scope=\"row\">{}</th>", escaped(&set.set))?;
        cells(set).iter().try_for_each(|cell| write!(out, "<td>{cell}</td>"))?;
        out.push_str("</tr>");
    }
    out.write_str("</tbody></table>")
}
