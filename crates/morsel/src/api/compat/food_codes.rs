//! The numbers by which other services identify foods: barcodes, and the ids of FoodData Central. Every food has one of each.
//!
//! A product has the barcode that is printed on it. Every other food gets one from the range that GS1 leaves to stores for goods
//! without a barcode, with a check digit, so that programs that check barcodes accept it. Foods that USDA publishes under an id of
//! FoodData Central have that one; the others get a number above all that are in use there, and small enough for programs that
//! read 32 bits. Both are computed from the id of the food ([`foods::catalog::IdSlot`]) and stay the same as long as it exists.

use foods::Food;
use foods::catalog::{Catalog, IdSlot};

/// The slots of barcodes: `2`, the rank, ten digits for the slot, the check digit.
const BARCODE_SLOTS: u64 = 10_000_000_000;
/// The first barcode of stores, without its check digit.
const FIRST_IN_STORE: u64 = 20 * BARCODE_SLOTS;
/// Ids of FoodData Central are below this.
const FIRST_OWN_ID: u64 = 100_000_000;
/// The slots of our own ids. All ranks together end below 2³¹.
const ID_SLOTS: u64 = 200_000_000;
/// The ranks that have room in a number. More than two foods in a slot are already rare.
const RANKS: u64 = 10;

/// Returns the barcode of a food: the one that is printed on it, else one of ours.
pub fn barcode_of(catalog: &Catalog, food: &Food) -> Option<String> {
    if let Some(gtin) = food.gtin {
        return Some(printed(gtin));
    }
    let IdSlot { slot, rank } = catalog.id_slot(&food.id, BARCODE_SLOTS).filter(|place| place.rank < RANKS)?;
    let body = FIRST_IN_STORE + rank * BARCODE_SLOTS + slot;
    Some(printed(body * 10 + check_digit(body)))
}

/// Returns the food with a barcode, in whatever form the digits are written: UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14, with or
/// without zeros in front.
pub fn by_barcode(catalog: &Catalog, digits: &str) -> Option<Food> {
    let number: u64 = digits.parse().ok()?;
    let printed = || catalog.by_gtin(number).or_else(|| catalog.by_gtin(expand_upc_e(digits)?));
    printed().or_else(|| {
        let body = number / 10;
        let place = body.checked_sub(FIRST_IN_STORE).filter(|place| *place < RANKS * BARCODE_SLOTS)?;
        let place = IdSlot { slot: place % BARCODE_SLOTS, rank: place / BARCODE_SLOTS };
        (check_digit(body) == number % 10).then(|| catalog.by_id_slot(place, BARCODE_SLOTS))?
    })
}

/// Returns the number of a food in the range of FoodData Central's ids, or above it.
pub fn fdc_id_of(catalog: &Catalog, food: &Food) -> Option<u64> {
    let published = food.id.strip_prefix("fdc_").and_then(|digits| digits.parse().ok());
    published.filter(|id| *id < FIRST_OWN_ID).or_else(|| {
        let IdSlot { slot, rank } = catalog.id_slot(&food.id, ID_SLOTS).filter(|place| place.rank < RANKS)?;
        Some(FIRST_OWN_ID + rank * ID_SLOTS + slot)
    })
}

/// Returns the food with a number of [`fdc_id_of`]. The NDB number of a food in SR Legacy and the code of one in FNDDS do as
/// well; no id of FoodData Central looks like them.
pub fn by_fdc_id(catalog: &Catalog, id: u64) -> Option<Food> {
    if let Some(place) = id.checked_sub(FIRST_OWN_ID) {
        let place = IdSlot { slot: place % ID_SLOTS, rank: place / ID_SLOTS };
        return (place.rank < RANKS).then(|| catalog.by_id_slot(place, ID_SLOTS))?;
    }
    let ids = [format!("fdc_{id}"), format!("sr_{id:05}"), format!("fndds_{id:08}")];
    ids.iter().find_map(|id| catalog.by_id(id))
}

/// Returns a barcode with as many digits as it is printed with: 8, 13 or 14. UPC-A has a zero in front.
fn printed(gtin: u64) -> String {
    if gtin < 100_000_000 { format!("{gtin:08}") } else { format!("{gtin:013}") }
}

/// Computes the digit that follows a barcode without one.
fn check_digit(mut body: u64) -> u64 {
    let (mut sum, mut weight) = (0, 3);
    while body > 0 {
        sum += body % 10 * weight;
        body /= 10;
        weight = 4 - weight;
    }
    (10 - sum % 10) % 10
}

/// Returns the UPC-A that a UPC-E is short for: six digits, with the number system before them, and the check digit after.
fn expand_upc_e(digits: &str) -> Option<u64> {
    let digits: Vec<u64> = digits.chars().map(|digit| digit.to_digit(10).map(u64::from)).collect::<Option<_>>()?;
    let (system, short, check) = match digits.len() {
        6 => (0, &digits[..], None),
        7 => (digits[0], &digits[1..], None),
        8 => (digits[0], &digits[1..7], Some(digits[7])),
        _ => return None,
    };
    // The last digit says where zeros were left out, and which.
    let last = short[5];
    let after_two = [last, 0, 0, 0, 0];
    let (maker, zeros, item) = match last {
        0..=2 => (&short[..2], &after_two[..], &short[2..5]),
        3 | 4 => (&short[..last as usize], &[0; 5][..], &short[last as usize..5]),
        _ => (&short[..5], &[0; 4][..], &short[5..]),
    };
    let long = maker.iter().chain(zeros).chain(item);
    let body = long.fold(system, |number, digit| number * 10 + digit);
    let is_right = system <= 1 && check.is_none_or(|check| check == check_digit(body));
    is_right.then(|| body * 10 + check_digit(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_digits_are_those_of_real_barcodes() {
        for code in [4_006_381_333_931, 36_000_291_452, 73_513_537, 9_780_201_379_624] {
            assert_eq!(check_digit(code / 10), code % 10, "{code}");
        }
    }

    #[test]
    fn upc_e_is_expanded() {
        let long = Some(42_100_005_264);
        for (short, expected) in [
            ("04252614", long),
            ("0425261", long),
            ("425261", long),
            ("04252615", None),
            ("94252614", None),
            ("4252", None),
            ("", None),
        ] {
            assert_eq!(expand_upc_e(short), expected, "{short}");
        }
        for last in 0..10 {
            let code = expand_upc_e(&format!("12345{last}")).expect("six digits");
            assert_eq!(check_digit(code / 10), code % 10);
        }
    }

    #[test]
    fn barcodes_are_written_as_they_are_printed() {
        assert_eq!(printed(73_513_537), "73513537");
        assert_eq!(printed(36_000_291_452), "0036000291452");
        assert_eq!(printed(4_006_381_333_931), "4006381333931");
        assert_eq!(printed(10_012_345_678_902), "10012345678902");
    }
}
