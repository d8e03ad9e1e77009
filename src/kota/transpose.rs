//! Turning a square of bits over its diagonal.

/// Exchanges rows and columns of the square that the first `rows` rows make with their first `rows` bits: bit c of row r
/// becomes bit r of row c. The number of rows is a power of two.
pub(super) fn transpose(rows: &mut [u128]) {
    // Halves, then quarters, …: in each square the upper right part changes places with the lower left one.
    let mut width = rows.len() / 2;
    while width > 0 {
        let low = mask(width);
        for start in (0..rows.len()).step_by(2 * width) {
            for row in start..start + width {
                let moved = ((rows[row] >> width) ^ rows[row + width]) & low;
                rows[row] ^= moved << width;
                rows[row + width] ^= moved;
            }
        }
        width /= 2;
    }
}

/// The lower `width` bits of every `2 * width`.
const fn mask(width: usize) -> u128 {
    u128::MAX / ((1 << width) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_change_places() {
        for size in [1, 2, 8, 32, 128_usize] {
            let bit = |row: usize, col: usize| (row * 131 + col * 17 + row * col) % 7 < 3;
            let row_of = |row: usize| (0..size).filter(|&col| bit(row, col)).fold(0, |bits, col| bits | 1_u128 << col);
            let mut rows: Vec<u128> = (0..size).map(row_of).collect();
            transpose(&mut rows);
            for (at, row) in rows.iter().enumerate() {
                assert!((0..size).all(|col| (row >> col & 1 == 1) == bit(col, at)), "{size}");
            }
        }
        assert_eq!(mask(64), u128::from(u64::MAX));
    }
}
