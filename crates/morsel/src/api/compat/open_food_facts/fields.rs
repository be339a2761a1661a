//! Which fields of a product a request asks for.

/// A field of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProductField {
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

const NAMES: [(&str, ProductField); 19] = [
    ("_id", ProductField::Id),
    ("id", ProductField::Id),
    ("product_name", ProductField::Name),
    ("product_name_en", ProductField::EnglishName),
    ("lang", ProductField::Language),
    ("lc", ProductField::Language),
    ("brands", ProductField::Brands),
    ("brands_tags", ProductField::BrandTags),
    ("serving_size", ProductField::ServingSize),
    ("serving_quantity", ProductField::ServingQuantity),
    ("serving_quantity_unit", ProductField::ServingUnit),
    ("nutrition_data_per", ProductField::Basis),
    ("categories", ProductField::Categories),
    ("categories_tags", ProductField::CategoryTags),
    ("categories_tags_en", ProductField::CategoryTags),
    ("data_sources", ProductField::Sources),
    ("url", ProductField::Url),
    ("link", ProductField::Url),
    ("nutriments", ProductField::Nutriments),
];

/// The start of the names of products in languages.
const LOCAL_NAME: &str = "product_name_";

/// A set of fields. The code of a product is always sent, since programs rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProductFields(u32);

impl ProductFields {
    const ALL: Self = Self(u32::MAX);

    /// Reads a list of names, separated by commas. Unknown ones are ignored; without a list, it is all fields.
    pub fn read(list: Option<&str>) -> Self {
        let Some(list) = list.filter(|list| !list.trim().is_empty()) else { return Self::ALL };
        let names = list.split(',').map(str::trim);
        names.fold(Self(0), |fields, name| match name {
            "all" | "raw" => Self::ALL,
            name => match NAMES.iter().find(|(known, _)| *known == name) {
                Some((_, field)) => fields.with(*field),
                None if name.starts_with(LOCAL_NAME) => fields.with(ProductField::LocalNames),
                None => fields,
            },
        })
    }

    /// Reports whether a field is wanted.
    pub fn contain(self, field: ProductField) -> bool {
        self.0 & (1 << field as u32) != 0
    }

    fn with(self, field: ProductField) -> Self {
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
        let fields = ProductFields::read(Some("code, brands,image_url,product_name_de,x"));
        assert!(fields.contain(ProductField::Brands) && fields.contain(ProductField::LocalNames));
        assert!(!fields.contain(ProductField::Name) && !fields.contain(ProductField::Nutriments));
        for list in [None, Some(""), Some("all"), Some("brands,all")] {
            assert_eq!(ProductFields::read(list), ProductFields::ALL, "{list:?}");
        }
        assert_eq!(ProductFields::read(Some("none")), ProductFields(0));
        assert_eq!(languages_in("code,product_name_de, product_name_fr").collect::<Vec<_>>(), ["de", "fr"]);
    }
}
