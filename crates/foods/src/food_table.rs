//! The national food tables beside USDA's: what they are called, where they are from and how they ask to be named.

/// A food table other than USDA's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FoodTable {
    /// Canada: the Canadian Nutrient File.
    Cnf,
    /// Germany: the Bundeslebensmittelschlüssel.
    Bls,
    /// France: the Ciqual table.
    Ciqual,
    /// United Kingdom: McCance and Widdowson's Composition of Foods Integrated Dataset.
    Cofid,
    /// Switzerland: the Swiss Food Composition Database.
    Swiss,
    /// Finland: Fineli.
    Fineli,
    /// Sweden: Livsmedelsverket's database.
    Livs,
    /// Denmark: Frida.
    Frida,
    /// Brazil: the Tabela Brasileira de Composição de Alimentos.
    Taco,
    /// Japan: MEXT's Standard Tables of Food Composition.
    Mext,
    /// Norway: Matvaretabellen.
    Mvt,
    /// A table that a user imported under a name of their own.
    Imported,
}

/// What is known about a table before any of its foods.
struct About {
    name: &'static str,
    /// ISO 3166-1.
    country: Option<&'static str>,
    title: &'static str,
    publisher: &'static str,
    attribution: &'static str,
}

impl FoodTable {
    /// Every table. The order is part of the file format: append only.
    pub const ALL: &'static [FoodTable] = &[
        FoodTable::Cnf,
        FoodTable::Bls,
        FoodTable::Ciqual,
        FoodTable::Cofid,
        FoodTable::Swiss,
        FoodTable::Fineli,
        FoodTable::Livs,
        FoodTable::Frida,
        FoodTable::Taco,
        FoodTable::Mext,
        FoodTable::Mvt,
        FoodTable::Imported,
    ];

    /// Returns the short name: the `source` of its foods in the API and the prefix of their ids. Foods of an imported table have
    /// the name of that table as prefix instead.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Returns the code of the country whose foods the table describes ("DE"), if that is known.
    pub fn country(self) -> Option<&'static str> {
        self.about().country
    }

    /// Returns the title with its edition.
    pub fn title(self) -> &'static str {
        self.about().title
    }

    /// Returns the publisher.
    pub fn publisher(self) -> &'static str {
        self.about().publisher
    }

    /// Returns the sentence by which the publisher asks to be named, or one that meets its license.
    pub fn attribution(self) -> &'static str {
        self.about().attribution
    }

    /// Returns whether the foods of the table have English names. Users search the tables that they import by whatever names
    /// these have.
    pub fn has_english_names(self) -> bool {
        self != FoodTable::Livs
    }

    /// Returns the table with this short name; `None` for that of imported tables, which are many.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|table| *table != FoodTable::Imported && table.name() == name)
    }

    fn about(self) -> &'static About {
        &TABLES[self as usize]
    }
}

/// The tables, in the order of [`FoodTable::ALL`].
static TABLES: [About; FoodTable::ALL.len()] = [
    About {
        name: "cnf",
        country: Some("CA"),
        title: "Canadian Nutrient File 2015",
        publisher: "Health Canada",
        attribution: "Health Canada, Canadian Nutrient File, 2015. Values as published.",
    },
    About {
        name: "bls",
        country: Some("DE"),
        title: "Bundeslebensmittelschlüssel 4.0",
        publisher: "Max Rubner-Institut",
        attribution: "Max Rubner-Institut, Bundeslebensmittelschlüssel (BLS) 4.0, 2025, CC BY 4.0. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "ciqual",
        country: Some("FR"),
        title: "Table Ciqual 2025",
        publisher: "Anses",
        attribution: "Anses, Table de composition nutritionnelle des aliments Ciqual 2025, Licence Ouverte / Etalab 2.0. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "cofid",
        country: Some("GB"),
        title: "McCance and Widdowson's CoFID 2021",
        publisher: "Public Health England",
        attribution: "Contains public sector information licensed under the Open Government Licence v3.0: Public Health \
                      England, McCance and Widdowson's Composition of Foods Integrated Dataset 2021. Carbs are the sum \
                      of available carbohydrate and fiber.",
    },
    About {
        name: "swiss",
        country: Some("CH"),
        title: "Swiss Food Composition Database 5.3",
        publisher: "Federal Food Safety and Veterinary Office FSVO",
        attribution: "Swiss Food Composition Database V5.3, Federal Food Safety and Veterinary Office FSVO. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "fineli",
        country: Some("FI"),
        title: "Fineli 20",
        publisher: "Finnish Institute for Health and Welfare",
        attribution: "Finnish Institute for Health and Welfare, Fineli, release 20, CC BY 4.0. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "livs",
        country: Some("SE"),
        title: "Livsmedelsdatabasen 2022",
        publisher: "Livsmedelsverket",
        attribution: "Livsmedelsverket, Livsmedelsdatabasen 2022, CC BY 4.0. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "frida",
        country: Some("DK"),
        title: "Frida 4",
        publisher: "DTU National Food Institute",
        attribution: "Food data (frida.fooddata.dk), version 4, National Food Institute, Technical University of Denmark.",
    },
    About {
        name: "taco",
        country: Some("BR"),
        title: "Tabela Brasileira de Composição de Alimentos, 4th edition",
        publisher: "NEPA/UNICAMP",
        attribution: "NEPA/UNICAMP, Tabela Brasileira de Composição de Alimentos (TACO), 4th edition, 2011.",
    },
    About {
        name: "mext",
        country: Some("JP"),
        title: "Standard Tables of Food Composition in Japan 2015",
        publisher: "Ministry of Education, Culture, Sports, Science and Technology",
        attribution: "Ministry of Education, Culture, Sports, Science and Technology, Japan (MEXT), Standard Tables of Food \
                      Composition in Japan 2015 (Seventh Revised Edition).",
    },
    About {
        name: "mvt",
        country: Some("NO"),
        title: "Norwegian Food Composition Table 2024",
        publisher: "Norwegian Food Safety Authority",
        attribution: "Norwegian Food Composition Table 2024. Norwegian Food Safety Authority. www.matvaretabellen.no. \
                      Carbs are the sum of available carbohydrate and fiber.",
    },
    About {
        name: "table",
        country: None,
        title: "An imported food table",
        publisher: "",
        attribution: "A food table imported into this catalog.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_found_by_their_names() {
        for &table in FoodTable::ALL {
            let expected = Some(table).filter(|table| *table != FoodTable::Imported);
            assert_eq!(FoodTable::named(table.name()), expected);
        }
        assert_eq!(FoodTable::named("usda"), None);
        assert_eq!(FoodTable::Bls.country(), Some("DE"));
    }
}
