//! The page that `morsel eval --html` writes.

use std::fmt::{Result, Write};
use std::path::Path;

use super::plot::{self, escaped};
use super::score::{CARBS_BOUND, Kind, Number, Report, Scored, Summary};
use super::{percent, speed};

/// How many times as wide the ranges are made, to see what other widths would hold.
const WIDTHS: i32 = 30;

/// The whole page.
pub(super) fn page(file: &Path, meals: &[Scored<'_>], report: &Report) -> std::result::Result<String, std::fmt::Error> {
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
    section(&mut out, "By set", "How many estimates are close enough, and how far off they are on average.", |out| {
        let rows: Vec<(&str, [f64; 2])> =
            sets.iter().map(|set| (set.set.as_str(), [set.accuracy, set.calories_within_20_percent])).collect();
        plot::bars(out, ["carbs less than 7.5 g off", "calories within 20 %"], &rows)?;
        accuracy(out, sets)
    })?;
    let points: Vec<(f64, f64)> = meals.iter().map(Scored::carbs).map(|carbs| (carbs.gold, carbs.said)).collect();
    let end = plot::round_end(points.iter().flat_map(|(gold, said)| [*gold, *said]).collect());
    let beyond = points.iter().filter(|(gold, said)| *gold > end || *said > end).count();
    let note = format!(
        "Each dot stands for one or more meals, the stronger the more. On the line the estimate is exact; between the dashed \
         lines it is less than 7.5 g off. {beyond} meals with more than {end} g are drawn at the edge."
    );
    section(&mut out, "Carbs, estimated and true", &note, |out| plot::scatter(out, &points, end, CARBS_BOUND))?;
    let errors: Vec<f64> = points.iter().map(|(gold, said)| said - gold).collect();
    let note =
        "Right of zero too much was estimated, left of it too little. The outermost bars hold everything beyond.";
    section(&mut out, "Errors of the carbs", note, |out| plot::histogram(out, &errors, CARBS_BOUND))?;
    let note = "Meals whose carbs are 7.5 g or more off. With the right number of foods, either a food was mistaken \
                for another, or all are right and only the amount is not. Foods without calories are not counted.";
    section(&mut out, "What went wrong", note, |out| wrong(out, sets))?;
    let note = "How many meals have their true value between the low and the high end that the estimate gives. The \
                dots are the ranges as given; the curves show what narrower or wider ones would hold. The aim is four \
                meals of five.";
    section(&mut out, "Ranges", note, |out| {
        let curves = [curve(meals, Scored::carbs), curve(meals, Scored::calories)];
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

/// The share of meals inside their ranges at each width.
fn curve<'a>(meals: &[Scored<'a>], number: impl Fn(&Scored<'a>) -> Number) -> Vec<(f64, f64)> {
    let share = |times: f64| {
        let inside = meals.iter().filter(|meal| number(meal).is_inside(times)).count();
        inside as f64 / meals.len().max(1) as f64
    };
    (0..=WIDTHS).map(|tenths| f64::from(tenths) / 10.0).map(|times| (times, share(times))).collect()
}

fn accuracy(out: &mut String, sets: &[Summary]) -> Result {
    let heading = [
        "Set",
        "Meals",
        "Carbs &lt; 7.5&nbsp;g off",
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

fn wrong(out: &mut String, sets: &[Summary]) -> Result {
    let heading = ["Set", "Meals"].into_iter().chain(Kind::ALL.map(Kind::title));
    table(out, heading, sets, |set| {
        let of_all = |count: usize| format!("{count} ({})", percent(count as f64 / set.meals as f64));
        let kinds = Kind::ALL.map(|kind| set.errors.of(kind));
        std::iter::once(set.errors.all()).chain(kinds).map(of_all).collect()
    })
}

fn table<'a>(
    out: &mut String,
    heading: impl IntoIterator<Item = &'a str>,
    sets: &[Summary],
    cells: impl Fn(&Summary) -> Vec<String>,
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
