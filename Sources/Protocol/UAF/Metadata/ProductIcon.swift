/// The picture in the product's own metadata: a key, 16 by 16 pixels.
enum ProductIcon {
    /// `data:` URL of the PNG.
    static let url =
        "data:image/png;base64,"
        + "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEX///8fTYzjYclwAAAAIElEQVR42mNgAAN+Bg"
        + "aBBgYFBwa1ehBS8GIQ6AIJYgAAY5wDXVQztCMAAAAASUVORK5CYII="
}
