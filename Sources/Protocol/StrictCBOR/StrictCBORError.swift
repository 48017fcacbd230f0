/// Errors of reading a CBOR item (RFC 8949).
///
/// Offsets count bytes from the start of the input.
@nonexhaustive
package enum StrictCBORError: Error, Hashable, Sendable {
    case tooLarge(byteCount: Int, limit: Int)
    case tooDeep(offset: Int, limit: Int)
    /// An array has more elements, or a map more members, than allowed.
    case tooManyElements(offset: Int, limit: Int)
    /// The input ends inside an item, or a string claims more bytes than are left.
    case unexpectedEnd(offset: Int)
    /// A length or number is not written in its shortest form.
    case notShortest(offset: Int)
    /// A string, array or map of indefinite length, or the byte that would end one.
    case indefiniteLength(offset: Int)
    /// A tag, a floating-point number, `undefined`, or a simple value without a meaning.
    case unsupportedItem(offset: Int)
    case invalidUTF8(offset: Int)
    /// A member name that is neither an integer nor a text.
    case unsupportedKey(offset: Int)
    case duplicateKey(offset: Int)
    /// The members of a map are not in the order of their encoded names (CTAP 2, section 8).
    case wrongOrder(offset: Int)
    case trailingContent(offset: Int)
}

extension StrictCBORError {
    /// Position of the error in bytes from the start; nil when the input as a whole is at fault.
    package var offset: Int? {
        switch self {
        case .tooLarge: nil
        case .tooDeep(let offset, _), .tooManyElements(let offset, _): offset
        case .unexpectedEnd(let offset), .notShortest(let offset), .indefiniteLength(let offset),
            .unsupportedItem(let offset), .invalidUTF8(let offset), .unsupportedKey(let offset),
            .duplicateKey(let offset), .wrongOrder(let offset), .trailingContent(let offset):
            offset
        }
    }
}
