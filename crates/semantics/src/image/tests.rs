//! Small images of every format, and every way to cut or change one of their bytes.

use super::*;

/// Red and green above blue and white.
const PIXELS: [[u8; 3]; 4] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]];

fn bmp() -> Vec<u8> {
    let mut file = b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0".to_vec();
    file.extend([0; 24]);
    // The last row first, blue first, rows of whole words.
    file.extend([255, 0, 0, 255, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0]);
    file
}

fn png(filter: u8, rows: &[u8]) -> Vec<u8> {
    let chunk = |name: &[u8], content: &[u8]| {
        let length = (content.len() as u32).to_be_bytes();
        [&length[..], name, content, &[0; 4]].concat()
    };
    let header = [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0];
    let rows: Vec<u8> = rows.chunks(6).flat_map(|row| [&[filter], row].concat()).collect();
    // The data may be cut anywhere.
    let data = miniz_oxide::deflate::compress_to_vec_zlib(&rows, 6);
    let (first, second) = data.split_at(5);
    let chunks =
        [chunk(b"IHDR", &header), chunk(b"IDAT", first), chunk(b"IDAT", second), chunk(b"IEND", b"")];
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
}

fn tiff(big_endian: bool) -> Vec<u8> {
    let short = |value: u16| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let long = |value: u32| if big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
    let mut file = if big_endian { b"MM\0*".to_vec() } else { b"II*\0".to_vec() };
    file.extend(long(8));
    let entries = [(256, 2), (257, 2), (258, 8), (259, 1), (262, 2), (273, 200), (277, 3), (278, 2)];
    file.extend(short(entries.len() as u16));
    for (tag, value) in entries {
        file.extend(short(tag));
        file.extend(short(4));
        file.extend(long(1));
        file.extend(long(value));
    }
    file.resize(200, 0);
    file.extend(PIXELS.as_flattened());
    file
}

fn files() -> Vec<Vec<u8>> {
    vec![
        bmp(),
        b"P6 2 2 255\n\xff\0\0\0\xff\0\0\0\xff\xff\xff\xff".to_vec(),
        b"P3 # colours\n2 2 255 255 0 0 0 255 0 0 0 255 255 255 255\n".to_vec(),
        png(0, PIXELS.as_flattened()),
        png(1, &[255, 0, 0, 1, 255, 0, 0, 0, 255, 255, 255, 0]),
        png(2, &[255, 0, 0, 0, 255, 0, 1, 0, 255, 255, 0, 255]),
        png(3, &[255, 0, 0, 129, 255, 0, 129, 0, 255, 255, 128, 128]),
        png(4, &[255, 0, 0, 1, 255, 0, 1, 0, 255, 255, 0, 0]),
        tiff(false),
        tiff(true),
    ]
}

#[test]
fn every_format_gives_the_pixels() {
    for file in files() {
        let image = decode(&file).unwrap();
        assert_eq!((image.height, image.width, &image.pixels[..]), (2, 2, &PIXELS[..]), "{file:?}");
    }
    let gray = decode(b"P1\n2 1\n01").unwrap();
    assert_eq!(gray.pixels, [[255; 3], [0; 3]]);
    assert_eq!(decode(b"P4\n2 1\n\x40").unwrap(), gray);
    assert_eq!(decode(b"P5 1 1 255\n\x07").unwrap().pixels, [[7; 3]]);
}

#[test]
fn pixels_are_ordered_as_asked() {
    let image = Image { height: 1, width: 1, pixels: vec![[10, 20, 200]] };
    assert_eq!(image.channels(PixelFormat::Rgb), [10, 20, 200]);
    assert_eq!(image.channels(PixelFormat::Bgr), [200, 20, 10]);
    // 2.99 + 11.74 + 22.8
    assert_eq!(image.channels(PixelFormat::Grayscale), [38]);
}

#[test]
fn damaged_files_are_refused() {
    for file in files() {
        for end in 0..file.len() - 16 {
            assert!(decode(&file[..end]).is_err(), "{end} bytes of {file:?}");
        }
        for at in 0..file.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = file.clone();
                changed[at] = value;
                if let Ok(image) = decode(&changed) {
                    assert_eq!(image.pixels.len(), image.height * image.width);
                }
            }
        }
    }
    assert!(decode(b"P5 4000000000 4000000000 255\n").unwrap_err().contains("too large"));
    assert!(decode(b"\xff\xd8\xff\xe0").unwrap_err().starts_with("JPEG images are not decoded"));
    assert!(decode(b"GIF89a").unwrap_err().contains("no image of a known format"));
}
