//! Everything that can be wrong with a file, done to a good one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use twox_hash::XxHash3_64;

use super::*;

const KIND: Kind = Kind::new("test");

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Flavour {
    Plain,
    Strong { of: u16 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    name: String,
    flavour: Flavour,
    counts: Vec<u64>,
    deepest: Option<u8>,
    reversed: bool,
}

fn header() -> Header {
    Header {
        name: "kō".to_owned(),
        flavour: Flavour::Strong { of: 0x0102 },
        counts: vec![7, 1 << 40],
        deepest: Some(9),
        reversed: true,
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn write(path: &Path, header: &impl Serialize, body: &[u8]) {
    let mut writer = Writer::create(path, KIND).unwrap();
    writer.write_all(body).unwrap();
    assert_eq!(writer.body_len(), body.len() as u64);
    writer.finish(header).unwrap();
}

fn read(path: &Path) -> Result<(Header, Vec<u8>), ContainerError> {
    let file = Container::<Header>::open(path, KIND)?;
    file.verify()?;
    Ok((file.header().clone(), file.body().to_vec()))
}

/// A good file as bytes, to be damaged.
fn good() -> Vec<u8> {
    let folder = Folder::new();
    let path = folder.path("good");
    write(&path, &header(), b"body of the file");
    fs::read(path).unwrap()
}

/// What a reader says of these bytes.
fn said(bytes: &[u8]) -> Result<(Header, Vec<u8>), ContainerError> {
    let folder = Folder::new();
    let path = folder.path("file");
    fs::write(&path, bytes).unwrap();
    read(&path)
}

/// Makes the checksum of the preamble right again, so that what comes after it is tested.
fn seal(bytes: &mut [u8]) {
    let checksum = XxHash3_64::oneshot(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&checksum);
}

#[test]
fn what_is_written_is_read() {
    let folder = Folder::new();
    // Around the size of the buffer of the writer as well.
    for len in [0, 1, 100, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 1_000_003] {
        let body: Vec<u8> = (0..len).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        write(&folder.path("file"), &header(), &body);
        assert_eq!(read(&folder.path("file")).unwrap(), (header(), body));
    }
    assert_eq!(Container::kind_of(folder.path("file")).unwrap(), KIND);
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn the_body_may_come_in_any_pieces() {
    let folder = Folder::new();
    let body: Vec<u8> = (0..700_000_u32).map(|at| at as u8).collect();
    write(&folder.path("whole"), &header(), &body);
    let mut writer = Writer::create(folder.path("pieces"), KIND).unwrap();
    for (at, piece) in body.chunks(777).enumerate() {
        writer.write_all(piece).unwrap();
        if at % 100 == 0 {
            writer.flush().unwrap();
        }
    }
    writer.finish(&header()).unwrap();
    assert_eq!(fs::read(folder.path("whole")).unwrap(), fs::read(folder.path("pieces")).unwrap());
}

/// The example of `FORMAT.md`: change neither without the other, and only with a new version of the format.
#[test]
fn every_byte_is_as_documented() {
    let bytes = good();
    assert_eq!(bytes[0..8], *b"\x89PAPAMU\n");
    assert_eq!(bytes[8..12], [1, 0, 0, 0]);
    assert_eq!(bytes[12..16], [44, 0, 0, 0]);
    assert_eq!(bytes[16..24], *b"test\0\0\0\0");
    assert_eq!(bytes[24..32], [16, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(bytes[32..48], 0xfeae_efcd_d894_f6e6_0f55_af84_dd8d_190c_u128.to_le_bytes());
    assert_eq!(bytes[64..80], *b"body of the file");
    let mut header = vec![3, 0, 0, 0, 0, 0, 0, 0];
    header.extend("kō".bytes());
    header.extend([1, 0, 0, 0, 2, 1]);
    header.extend([2, 0, 0, 0, 0, 0, 0, 0]);
    header.extend([7, 0, 0, 0, 0, 0, 0, 0]);
    header.extend([0, 0, 0, 0, 0, 1, 0, 0]);
    header.extend([1, 9]);
    header.push(1);
    assert_eq!(bytes[80..], header);
    assert_eq!(bytes[48..56], XxHash3_64::oneshot(&header).to_le_bytes());
    assert_eq!(bytes[56..64], XxHash3_64::oneshot(&bytes[..56]).to_le_bytes());
}

#[test]
fn a_flipped_bit_is_noticed_wherever_it_is() {
    let good = good();
    for at in 0..good.len() * 8 {
        let mut bytes = good.clone();
        bytes[at / 8] ^= 1 << (at % 8);
        let error = said(&bytes).expect_err("a flipped bit");
        let expected = match at / 8 {
            0..8 => matches!(error, ContainerError::NotAContainer { .. }),
            8..12 => matches!(error, ContainerError::OtherVersion { expected: 1, .. }),
            12..64 => matches!(error, ContainerError::Damaged { part: Part::Preamble, .. }),
            64..80 => matches!(error, ContainerError::Damaged { part: Part::Body, .. }),
            _ => matches!(error, ContainerError::Damaged { part: Part::Header, .. }),
        };
        assert!(expected, "bit {at}: {error}");
    }
}

#[test]
fn a_cut_is_noticed_at_every_length() {
    let good = good();
    for len in 0..good.len() {
        let error = said(&good[..len]).expect_err("a cut file");
        let expected = match len {
            0 => matches!(error, ContainerError::NotAContainer { .. }),
            1..64 => matches!(error, ContainerError::Truncated { expected: 64, .. }),
            _ => matches!(error, ContainerError::Truncated { expected, found, .. }
                if (expected, found) == (good.len() as u64, len as u64)),
        };
        assert!(expected, "{len} bytes: {error}");
    }
    let longer = [&good[..], b"x"].concat();
    assert!(matches!(said(&longer), Err(ContainerError::TooLong { expected, .. }) if expected == good.len() as u64));
}

#[test]
fn other_files_are_refused_with_what_to_do() {
    let says = |bytes: &[u8], words: &[&str]| {
        let text = said(bytes).expect_err("a wrong file").to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{words:?} in {text}");
    };
    says(b"", &["not a file of this program", "an empty file"]);
    says(b"\x89PNG\r\n\x1a\nand so on", &["not a file of this program", r"\x89PAPAMU\n", r"`\x89PNG\r\n\x1a\n`"]);
    let mut newer = good();
    newer[8] = 2;
    says(&newer, &["expected format version 1, found 2", "a newer one"]);
    newer[8] = 0;
    says(&newer, &["expected format version 1, found 0", "make the file again"]);
    let mut other = good();
    other[16..24].copy_from_slice(b"othr\0\0\0\0");
    seal(&mut other);
    says(&other, &["expected a file of kind `test`, found `othr`"]);
    other[16..24].copy_from_slice(b"t\0est\0\0\0");
    seal(&mut other);
    says(&other, &["damaged", "preamble"]);
}

#[test]
fn absurd_lengths_are_refused_without_reading() {
    for (at, value) in [(12, [0xff; 8]), (24, [0xff; 8]), (24, (1_u64 << 62).to_le_bytes()), (24, [0; 8])] {
        let mut bytes = good();
        let len = if at == 12 { 4 } else { 8 };
        bytes[at..at + len].copy_from_slice(&value[..len]);
        seal(&mut bytes);
        let error = said(&bytes).expect_err("a wrong length");
        assert!(matches!(error, ContainerError::Truncated { .. } | ContainerError::TooLong { .. }), "{error}");
    }
}

#[test]
fn a_header_of_another_shape_is_refused() {
    let folder = Folder::new();
    let says = |header: &dyn Fn(&Path), words: &[&str]| {
        header(&folder.path("file"));
        let error = read(&folder.path("file")).expect_err("another header");
        assert!(matches!(error, ContainerError::Header { .. }), "{error}");
        assert!(words.iter().all(|word| error.to_string().contains(word)), "{words:?} in {error}");
    };
    says(&|path| write(path, &1_u8, b""), &["`test`", "cannot be read"]);
    says(&|path| write(path, &(header(), 5_u8), b""), &["expected 44 bytes of header, found 45 bytes"]);
    // A text and a list that say they are longer than all memory.
    says(&|path| write(path, &(u64::MAX, 0_u64), b""), &["cannot be read"]);
    says(&|path| write(path, &("", Flavour::Plain, u64::MAX / 8), b""), &["cannot be read"]);
    // A variant that does not exist.
    says(&|path| write(path, &("", 77_u32, [0_u64; 3]), b""), &["cannot be read"]);
}

#[test]
fn an_unfinished_file_leaves_nothing() {
    let folder = Folder::new();
    write(&folder.path("file"), &header(), b"before");
    let mut writer = Writer::create(folder.path("file"), KIND).unwrap();
    writer.write_all(&[1; 1 << 20]).unwrap();
    assert_eq!(writer.temporary_path().parent(), Some(fs::canonicalize(folder.0.path()).unwrap().as_path()));
    assert_eq!(read(&folder.path("file")).unwrap().1, b"before");
    drop(writer);
    assert_eq!(read(&folder.path("file")).unwrap().1, b"before");
    drop(Writer::create(folder.path("new"), KIND).unwrap());
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn an_open_file_may_be_replaced() {
    let folder = Folder::new();
    write(&folder.path("file"), &header(), b"before");
    let old = Container::<Header>::open(folder.path("file"), KIND).unwrap();
    write(&folder.path("file"), &header(), b"after");
    assert_eq!(old.body(), b"before");
    assert_eq!(read(&folder.path("file")).unwrap().1, b"after");
}

#[test]
fn places_that_cannot_be_written_or_read() {
    let folder = Folder::new();
    for (path, reason) in [(".", "folder"), ("no/such/file", "No such file"), ("new/", "expected the name of a file")] {
        let error = Writer::create(folder.path(path), KIND).expect_err(path);
        assert!(error.to_string().contains(reason) && !error.to_string().contains(".papamu-"), "{error}");
        assert_eq!(error.path(), folder.path(path));
        assert!(matches!(read(&folder.path(path)), Err(ContainerError::Read { .. })));
    }
    assert!(folder.names().is_empty());
}

#[test]
fn kinds_are_tags() {
    assert_eq!((KIND.to_string().as_str(), Kind::new("12345-ab").tag()), ("test", "12345-ab"));
    for bytes in [*b"\0\0\0\0\0\0\0\0", *b"Test\0\0\0\0", *b"a\0b\0\0\0\0\0", *b"a b\0\0\0\0\0"] {
        assert_eq!(Kind::from_bytes(bytes), None);
    }
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(said(&bytes).is_err());
        // The same where the first bytes are right.
        let mut sealed = good();
        let len = sealed.len().min(bytes.len());
        sealed[12..len.max(12)].copy_from_slice(&bytes[..len.max(12) - 12]);
        seal(&mut sealed);
        let _ = said(&sealed);
        let _ = codec::decode::<Header>(&bytes);
    }
}
