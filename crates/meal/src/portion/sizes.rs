//! Words of portion rows that say how large something is or what it comes in.

/// A size that names of foods have too: "medium crust", "large curd".
pub(super) fn is_plain_size(word: &str) -> bool {
    matches!(word, "small" | "medium" | "large")
}

pub(super) fn is_container(word: &str) -> bool {
    matches!(
        word,
        "bag"
            | "box"
            | "package"
            | "packet"
            | "pack"
            | "pouch"
            | "container"
            | "can"
            | "bottle"
            | "cup"
            | "carton"
            | "tub"
    )
}

pub(super) fn is_size_word(word: &str) -> bool {
    matches!(
        word,
        "small"
            | "large"
            | "extra"
            | "miniature"
            | "mini"
            | "thin"
            | "thick"
            | "jumbo"
            | "king"
            | "snack"
            | "fun"
            | "bite"
            | "calorie"
    )
}
