//! Which fields of a product a request asks for.

/// A field of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Id,
    Name,
    EnglishName,
    LocalNames,
    Language,
    Brands,
    BrandTags,
    ServingSize,
    ServingQuantity,
    ServingUnit,
    Basis,
    Categories,
    CategoryTags,
    Sources,
    Url,
    Nutriments,
}

const NAMES: [(&str, Field); 19] = [
    ("_id", Field::Id),
    ("id", Field::Id),
    ("product_name", Field::Name),
    ("product_name_en", Field::EnglishName),
    ("lang", Field::Language),
    ("lc", Field::Language),
    ("brands", Field::Brands),
    ("brands_tags", Field::BrandTags),
    ("serving_size", Field::ServingSize),
    ("serving_quantity", Field::ServingQuantity),
    ("serving_quantity_unit", Field::ServingUnit),
    ("nutrition_data_per", Field::Basis),
    ("categories", Field::Categories),
    ("categories_tags", Field::CategoryTags),
    ("categories_tags_en", Field::CategoryTags),
    ("data_sources", Field::Sources),
    ("url", Field::Url),
    ("link", Field::Url),
    ("nutriments", Field::Nutriments),
];

/// The start of the names of products in languages.
const LOCAL_NAME: &str = "product_name_";

/// A set of fields. The code of a product is always sent, since programs rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fields(u32);

impl Fields {
    const ALL: Self = Self(u32::MAX);

    /// Reads a list of names, separated by commas. Unknown ones are ignored; without a list, it is all fields.
    pub fn read(list: Option<&str>) -> Self {
        let Some(list) = list.filter(|list| !list.trim().is_empty()) else { return Self::ALL };
        let names = list.split(',').map(str::trim);
        names.fold(Self(0), |fields, name| match name {
            "all" | "raw" => Self::ALL,
            name => match NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, field)) => fields.with(*field),
                None if name.starts_with(LOCAL_NAME) => fields.with(Field::LocalNames),
                None => fields,
            },
        })
    }

    /// Reports whether a field is wanted.
    pub fn contain(self, field: Field) -> bool {
        self.0 & (1 << field as u32) != 0
    }

    fn with(self, field: Field) -> Self {
        Self(self.0 | 1 << field as u32)
    }
}

/// Returns the languages of names that a list of fields has: "de" of "product_name_de".
pub(super) fn languages_in(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter_map(|name| name.trim().strip_prefix(LOCAL_NAME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_selects_fields_and_unknown_names_are_ignored() {
        let fields = Fields::read(Some("code, brands,image_url,product_name_de,x"));
        assert!(fields.contain(Field::Brands) && fields.contain(Field::LocalNames));
        assert!(!fields.contain(Field::Name) && !fields.contain(Field::Nutriments));
        for list in [None, Some(""), Some("all"), Some("brands,all")] {
            assert_eq!(Fields::read(list), Fields::ALL, "{list:?}");
        }
        assert_eq!(Fields::read(Some("none")), Fields(0));
        assert_eq!(languages_in("code,product_name_de, product_name_fr").collect::<Vec<_>>(), ["de", "fr"]);
    }
}
