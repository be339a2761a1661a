//! Draws nutrition labels with numbers that agree with each other.

use image::RgbImage;
use nutrition::Macros;
use nutrition::sighting::{NutritionFacts, Per};

use super::canvas::{self, Typeface};
use super::random::Random;

/// The layout of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelLayout {
    /// Nutrition Facts since 2016.
    UsNew,
    /// Nutrition Facts before 2016.
    UsOld,
    /// Per serving and per container, side by side.
    UsDual,
    /// Per 100 g.
    Eu,
    /// Per 100 g and per portion.
    EuPortion,
    /// Per 100 ml.
    EuDrink,
}

pub const LAYOUTS: [LabelLayout; 6] = [
    LabelLayout::UsNew,
    LabelLayout::Eu,
    LabelLayout::UsOld,
    LabelLayout::EuPortion,
    LabelLayout::UsDual,
    LabelLayout::EuDrink,
];

/// A drawn label and what must be read from it.
pub struct DrawnLabel {
    pub layout: LabelLayout,
    pub language: &'static str,
    pub picture: RgbImage,
    pub per: Per,
    pub serving_grams: Option<f64>,
    pub facts: NutritionFacts,
}

/// Words of a language: title, per, portion, energy, fat, saturates, carbohydrate, sugars, fiber, protein, salt.
const LANGUAGES: [(&str, [&str; 11]); 6] = [
    (
        "English",
        [
            "Nutrition information",
            "per",
            "serving",
            "Energy",
            "Fat",
            "of which saturates",
            "Carbohydrate",
            "of which sugars",
            "Fibre",
            "Protein",
            "Salt",
        ],
    ),
    (
        "German",
        [
            "Nährwerte",
            "pro",
            "Portion",
            "Energie",
            "Fett",
            "davon gesättigte Fettsäuren",
            "Kohlenhydrate",
            "davon Zucker",
            "Ballaststoffe",
            "Eiweiß",
            "Salz",
        ],
    ),
    (
        "French",
        [
            "Valeurs nutritionnelles",
            "pour",
            "portion",
            "Énergie",
            "Matières grasses",
            "dont acides gras saturés",
            "Glucides",
            "dont sucres",
            "Fibres alimentaires",
            "Protéines",
            "Sel",
        ],
    ),
    (
        "Spanish",
        [
            "Información nutricional",
            "por",
            "ración",
            "Valor energético",
            "Grasas",
            "de las cuales saturadas",
            "Hidratos de carbono",
            "de los cuales azúcares",
            "Fibra alimentaria",
            "Proteínas",
            "Sal",
        ],
    ),
    (
        "Italian",
        [
            "Valori nutrizionali",
            "per",
            "porzione",
            "Energia",
            "Grassi",
            "di cui acidi grassi saturi",
            "Carboidrati",
            "di cui zuccheri",
            "Fibre",
            "Proteine",
            "Sale",
        ],
    ),
    (
        "Dutch",
        [
            "Voedingswaarde",
            "per",
            "portie",
            "Energie",
            "Vetten",
            "waarvan verzadigde vetzuren",
            "Koolhydraten",
            "waarvan suikers",
            "Vezels",
            "Eiwitten",
            "Zout",
        ],
    ),
];

const SMALL_PRINT: &str = "INGREDIENTS: whole grain oats, sugar, rapeseed oil, rice flour, honey, salt, brown sugar syrup, \
    baking soda, soy lecithin, natural flavor. Contains soy and milk. May contain traces of nuts. Store in a cool dry place. \
    Best before: see lid. Packed for Hill & Dale Foods, 12 Mill Lane. Net weight 340 g.";

const FOOTNOTE: &str = "* The % Daily Value (DV) tells you how much a nutrient in a serving of food contributes to a daily diet. \
    2,000 calories a day is used for general nutrition advice.";

/// Draws the nutrients of 100 g of some food.
fn composition(random: &mut Random) -> [f64; 7] {
    let fat = if random.happens(0.15) { 0.0 } else { f64::from(random.between(0.2, 38.0)) };
    let carbs = f64::from(random.between(1.0, 55.0));
    let protein = f64::from(random.between(0.5, 28.0)).min(98.0 - fat - carbs);
    let fiber = carbs * f64::from(random.between(0.0, 0.2));
    let sugars = (carbs - fiber) * f64::from(random.between(0.0, 0.9));
    let saturated = fat * f64::from(random.between(0.05, 0.6));
    let salt = f64::from(random.between(0.0, 2.5));
    [fat, saturated, carbs, sugars, fiber, protein, salt]
}

pub fn random(layout: LabelLayout, typeface: &Typeface, random: &mut Random) -> DrawnLabel {
    match layout {
        LabelLayout::UsNew | LabelLayout::UsOld | LabelLayout::UsDual => american(layout, typeface, random),
        LabelLayout::Eu | LabelLayout::EuPortion | LabelLayout::EuDrink => european(layout, typeface, random),
    }
}

/// A sheet of paper and the position of the next line.
struct Sheet<'a> {
    picture: RgbImage,
    typeface: &'a Typeface,
    ink: [u8; 3],
    left: f32,
    right: f32,
    top: f32,
}

impl Sheet<'_> {
    fn text(&mut self, left: f32, size: f32, bold: bool, text: &str) -> f32 {
        let font = if bold { &self.typeface.bold } else { &self.typeface.regular };
        canvas::write(&mut self.picture, (left, self.top), font, size, self.ink, text)
    }

    /// Writes a text that ends here.
    fn text_to(&mut self, right: f32, size: f32, bold: bool, text: &str) {
        let font = if bold { &self.typeface.bold } else { &self.typeface.regular };
        let left = right - canvas::width(font, size, text);
        canvas::write(&mut self.picture, (left, self.top), font, size, self.ink, text);
    }

    fn rule(&mut self, thickness: u32) {
        let place = (self.left as u32, self.top as u32);
        canvas::fill(&mut self.picture, place, ((self.right - self.left) as u32, thickness), self.ink);
        self.top += thickness as f32 + 3.0;
    }

    /// Writes words in lines.
    fn paragraph(&mut self, size: f32, text: &str) {
        let mut left = self.left;
        for word in text.split(' ') {
            let width = canvas::width(&self.typeface.regular, size, word);
            if left + width > self.right {
                left = self.left;
                self.top += size * 1.15;
            }
            left = self.text(left, size, false, word) + size * 0.3;
        }
        self.top += size * 1.3;
    }

    /// Returns the drawn part, with a margin.
    fn finish(self, margin: u32) -> RgbImage {
        let height = (self.top as u32 + margin).min(self.picture.height());
        image::imageops::crop_imm(&self.picture, 0, 0, self.picture.width(), height).to_image()
    }
}

fn sheet<'a>(typeface: &'a Typeface, random: &mut Random) -> Sheet<'a> {
    let light = random.between(225.0, 255.0) as u8;
    let paper = [light, light, light.saturating_sub(random.below(30) as u8)];
    let dark = random.below(50) as u8;
    Sheet {
        picture: canvas::filled(900, 1800, paper),
        typeface,
        ink: [dark, dark, dark],
        left: 36.0,
        right: 864.0,
        top: 30.0,
    }
}

/// The content of an American label.
struct American {
    layout: LabelLayout,
    measure: &'static str,
    grams: f64,
    servings: usize,
    facts: NutritionFacts,
    /// Whether there is a space before the unit.
    spaced: bool,
}

fn american(layout: LabelLayout, typeface: &Typeface, random: &mut Random) -> DrawnLabel {
    let composition = composition(random);
    let measures = [
        ("2/3 cup", 55.0),
        ("1 bar", 40.0),
        ("3 cookies", 34.0),
        ("1 cup", 228.0),
        ("2 tbsp", 32.0),
        ("1 package", 85.0),
        ("12 crackers", 30.0),
        ("1/2 cup", 120.0),
    ];
    let &(measure, grams) = random.pick(&measures);
    let [fat, saturated, carbs, sugars, fiber, protein, salt] = composition.map(|value| value * grams / 100.0);
    let halves = |value: f64| match value {
        ..0.5 => 0.0,
        0.5..5.0 => (value * 2.0).round() / 2.0,
        _ => value.round(),
    };
    // "Less than one" is read as half.
    let whole = |value: f64| match value {
        ..0.5 => 0.0,
        0.5..1.0 => 0.5,
        _ => value.round(),
    };
    let calories = 9.0 * fat + 4.0 * carbs + 4.0 * protein;
    let step = if calories < 50.0 { 5.0 } else { 10.0 };
    let facts = NutritionFacts {
        macros: Macros {
            calories: Some((calories / step).round() * step),
            protein: Some(whole(protein)),
            carbs: Some(whole(carbs)),
            fat: Some(halves(fat)),
        },
        fiber: Some(whole(fiber)),
        sugars: Some(whole(sugars)),
        saturated_fat: Some(halves(saturated)),
        sodium: Some((salt * 80.0).round() * 5.0),
    };
    let label = American { layout, measure, grams, servings: 2 + random.below(10), facts, spaced: random.happens(0.3) };
    let mut sheet = sheet(typeface, random);
    let size = random.between(34.0, 40.0);
    label.head(&mut sheet, size);
    label.table(&mut sheet, size);
    sheet.rule(16);
    let vitamins =
        [("Vitamin D 2mcg", "10%"), ("Calcium 260mg", "20%"), ("Iron 8mg", "45%"), ("Potassium 240mg", "6%")];
    let (left, right) = (sheet.left + 12.0, sheet.right - 12.0);
    for (name, percent) in vitamins {
        sheet.text(left, size * 0.85, false, name);
        sheet.text_to(right, size * 0.85, false, percent);
        sheet.top += size * 1.05;
        sheet.rule(2);
    }
    sheet.top += 6.0;
    sheet.paragraph(size * 0.62, FOOTNOTE);
    if random.happens(0.4) {
        sheet.top += 10.0;
        sheet.paragraph(size * 0.7, SMALL_PRINT);
    }
    DrawnLabel {
        layout,
        language: "English",
        picture: sheet.finish(24),
        per: Per::Serving,
        serving_grams: Some(grams),
        facts,
    }
}

impl American {
    /// Writes title, serving and calories.
    fn head(&self, sheet: &mut Sheet<'_>, size: f32) {
        let (left, right) = (sheet.left + 12.0, sheet.right - 12.0);
        let calories = self.facts.macros.calories.unwrap_or_default();
        sheet.text(left, 104.0, true, "Nutrition Facts");
        sheet.top += 108.0;
        let serving = format!("{} ({}g)", self.measure, self.grams);
        if self.layout == LabelLayout::UsOld {
            sheet.text(left, size, false, &format!("Serving Size {serving}"));
            sheet.top += size * 1.2;
            sheet.text(left, size, false, &format!("Servings Per Container About {}", self.servings));
        } else {
            sheet.text(left, size, false, &format!("{} servings per container", self.servings));
            sheet.top += size * 1.2;
            sheet.text(left, size, true, "Serving size");
            sheet.text_to(right, size, true, &serving);
        }
        sheet.top += size * 1.25;
        sheet.rule(16);
        match self.layout {
            LabelLayout::UsDual => {
                sheet.text_to(right - 200.0, size * 0.8, true, "Per serving");
                sheet.text_to(right, size * 0.8, true, "Per container");
                sheet.top += size;
                sheet.text(left, size * 1.4, true, "Calories");
                sheet.text_to(right - 200.0, size * 1.4, true, &format!("{calories}"));
                sheet.text_to(right, size * 1.4, true, &format!("{}", calories * self.servings as f64));
                sheet.top += size * 1.6;
            }
            LabelLayout::UsOld => {
                sheet.text(left, size * 0.72, true, "Amount Per Serving");
                sheet.top += size * 0.85;
                let end = sheet.text(left, size, true, "Calories ");
                sheet.text(end, size, false, &format!("{calories}"));
                let from_fat = (self.facts.macros.fat.unwrap_or_default() * 9.0 / 5.0).round() * 5.0;
                sheet.text_to(right, size, false, &format!("Calories from Fat {from_fat}"));
                sheet.top += size * 1.25;
            }
            _ => {
                sheet.text(left, size * 0.72, true, "Amount per serving");
                sheet.top += size * 0.85;
                sheet.text(left, size * 1.5, true, "Calories");
                sheet.top -= size * 0.3;
                sheet.text_to(right, size * 2.0, true, &format!("{calories}"));
                sheet.top += size * 2.1;
            }
        }
        sheet.rule(8);
        if self.layout != LabelLayout::UsDual {
            sheet.text_to(right, size * 0.75, true, "% Daily Value*");
            sheet.top += size;
        }
    }

    /// Writes the rows from fat to protein.
    fn table(&self, sheet: &mut Sheet<'_>, size: f32) {
        let old = self.layout == LabelLayout::UsOld;
        let days = if old { [65.0, 300.0, 25.0, 2_400.0] } else { [78.0, 275.0, 28.0, 2_300.0] };
        let value = |fact: Option<f64>| fact.unwrap_or_default();
        let facts = &self.facts;
        // Name, indentation, value, unit, daily value. Names without an indentation are bold.
        let mut rows = vec![
            ("Total Fat", 0.0, value(facts.macros.fat), "g", Some(days[0])),
            ("Saturated Fat", 30.0, value(facts.saturated_fat), "g", Some(20.0)),
            ("Trans Fat", 30.0, 0.0, "g", None),
            ("Cholesterol", 0.0, 5.0, "mg", Some(300.0)),
            ("Sodium", 0.0, value(facts.sodium), "mg", Some(days[3])),
            ("Total Carbohydrate", 0.0, value(facts.macros.carbs), "g", Some(days[1])),
            ("Dietary Fiber", 30.0, value(facts.fiber), "g", Some(days[2])),
            (if old { "Sugars" } else { "Total Sugars" }, 30.0, value(facts.sugars), "g", None),
        ];
        if !old {
            rows.push(("Added Sugars", 60.0, (value(facts.sugars) / 2.0).floor(), "g", Some(50.0)));
        }
        rows.push(("Protein", 0.0, value(facts.macros.protein), "g", None));
        for (name, indent, value, unit, day) in rows {
            sheet.rule(2);
            self.row(sheet, size, (name, indent), (value, unit), day);
            sheet.top += size * 1.2;
        }
    }

    fn row(
        &self,
        sheet: &mut Sheet<'_>,
        size: f32,
        (name, indent): (&str, f32),
        (value, unit): (f64, &str),
        day: Option<f64>,
    ) {
        let (left, right) = (sheet.left + 12.0 + indent, sheet.right - 12.0);
        let percent = day.map(|day| format!("{}%", (value / day * 100.0).round()));
        if name == "Added Sugars" {
            sheet.text(left, size, false, &format!("Includes {value}g Added Sugars"));
            sheet.text_to(right, size, true, &percent.unwrap_or_default());
            return;
        }
        let gap = if self.spaced { " " } else { "" };
        let may_be_less = !name.contains("Fat") && !self.spaced;
        let printed =
            if may_be_less && (value - 0.5).abs() < 1e-9 { "<1g".to_owned() } else { format!("{value}{gap}{unit}") };
        let end = sheet.text(left, size, indent == 0.0, name);
        if self.layout == LabelLayout::UsDual {
            sheet.text_to(right - 200.0, size, false, &printed);
            sheet.text_to(right, size, false, &format!("{}{gap}{unit}", value * self.servings as f64));
        } else {
            sheet.text(end + size * 0.3, size, false, &printed);
            sheet.text_to(right, size, true, &percent.unwrap_or_default());
        }
    }
}

fn european(layout: LabelLayout, typeface: &Typeface, random: &mut Random) -> DrawnLabel {
    let mut composition = composition(random);
    let drink = layout == LabelLayout::EuDrink;
    if drink {
        composition = composition.map(|value| value * 0.22);
    }
    let tenth = |value: f64| if value >= 10.0 && !drink { value.round() } else { (value * 10.0).round() / 10.0 };
    let [fat, saturated, carbs, sugars, fiber, protein, salt] = composition.map(tenth);
    let salt = (salt * 100.0).round() / 100.0;
    let kilocalories = (9.0 * fat + 4.0 * carbs + 4.0 * protein + 2.0 * fiber).round();
    let kilojoules = (37.0 * fat + 17.0 * carbs + 17.0 * protein + 8.0 * fiber).round();
    let (language, words) = if random.happens(0.5) { LANGUAGES[0] } else { *random.pick(&LANGUAGES[1..]) };
    let [title, per, portion, rest @ ..] = words;
    let comma = language != "English";
    let portion_grams = *random.pick(&[25.0, 30.0, 40.0, 125.0]);
    let print = |value: f64| {
        let text = format!("{value}");
        if comma { text.replace('.', ",") } else { text }
    };
    let gap = *random.pick(&[" ", ""]);
    let unit = if drink { "ml" } else { "g" };
    let two = layout == LabelLayout::EuPortion;
    let facts = NutritionFacts {
        macros: Macros { calories: Some(kilocalories), protein: Some(protein), carbs: Some(carbs), fat: Some(fat) },
        fiber: Some(fiber),
        sugars: Some(sugars),
        saturated_fat: Some(saturated),
        sodium: Some(salt * 400.0),
    };
    let mut sheet = sheet(typeface, random);
    let (left, right) = (sheet.left + 10.0, sheet.right - 10.0);
    let size = random.between(34.0, 42.0) * if two { 0.85 } else { 1.0 };
    sheet.text(left, size * 1.25, true, title);
    sheet.top += size * 1.7;
    sheet.rule(4);
    let columns = if two { [right - 190.0, right] } else { [right, right] };
    sheet.text_to(columns[0], size * 0.9, true, &format!("{per} 100{gap}{unit}"));
    if two {
        let text = format!("{per} {portion}");
        sheet.text_to(columns[1], size * 0.9, true, &text);
        sheet.top += size * 1.05;
        sheet.text_to(columns[1], size * 0.9, true, &format!("({portion_grams}{gap}g)"));
    }
    sheet.top += size * 1.25;
    sheet.rule(2);
    let share = portion_grams / 100.0;
    let stacked = two || random.happens(0.3);
    let energy = [(kilojoules, kilocalories), ((kilojoules * share).round(), (kilocalories * share).round())];
    sheet.text(left, size, false, rest[0]);
    for (at, (kilojoules, kilocalories)) in energy.into_iter().take(1 + usize::from(two)).enumerate() {
        if stacked {
            sheet.text_to(columns[at], size, false, &format!("{kilojoules}{gap}kJ"));
            sheet.top += size * 1.15;
            sheet.text_to(columns[at], size, false, &format!("{kilocalories}{gap}kcal"));
            sheet.top -= size * 1.15;
        } else {
            sheet.text_to(columns[at], size, false, &format!("{kilojoules}{gap}kJ / {kilocalories}{gap}kcal"));
        }
    }
    sheet.top += size * if stacked { 2.4 } else { 1.25 };
    for (name, value) in rest[1..].iter().zip([fat, saturated, carbs, sugars, fiber, protein, salt]) {
        sheet.rule(2);
        let indent = if name.contains(' ')
            && *name != "Matières grasses"
            && *name != "Hidratos de carbono"
            && !name.starts_with("Fib")
        {
            24.0
        } else {
            0.0
        };
        sheet.text(left + indent, size, false, name);
        sheet.text_to(columns[0], size, false, &format!("{}{gap}g", print(value)));
        if two {
            let small = (value * share * 10.0).round() / 10.0;
            let small = if value > 0.0 && small < 0.1 { "<0.1".to_owned() } else { print(small) };
            sheet.text_to(columns[1], size, false, &format!("{small}{gap}g"));
        }
        sheet.top += size * 1.25;
    }
    sheet.rule(4);
    if random.happens(0.4) {
        sheet.top += 10.0;
        sheet.paragraph(size * 0.75, SMALL_PRINT);
    }
    DrawnLabel {
        layout,
        language,
        picture: sheet.finish(24),
        per: if drink { Per::HundredMilliliters } else { Per::HundredGrams },
        serving_grams: two.then_some(portion_grams),
        facts,
    }
}
