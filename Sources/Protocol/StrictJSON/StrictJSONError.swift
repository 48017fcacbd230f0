/// Errors of reading a JSON text.
///
/// Offsets count bytes from the start of the text.
@nonexhaustive
package enum StrictJSONError: Error, Hashable, Sendable {
    case tooLarge(byteCount: Int, limit: Int)
    case tooDeep(offset: Int, limit: Int)
    /// An array has more elements, or an object more members, than allowed.
    case tooManyElements(offset: Int, limit: Int)
    case nameTooLong(offset: Int, limit: Int)
    case byteOrderMark
    case unexpectedEnd(offset: Int)
    case unexpectedByte(offset: Int)
    case invalidUTF8(offset: Int)
    /// A string holds an unescaped control character.
    case controlCharacter(offset: Int)
    case invalidEscape(offset: Int)
    case loneSurrogate(offset: Int)
    case invalidNumber(offset: Int)
    case duplicateMember(offset: Int)
    /// Something other than white space follows the value.
    case trailingContent(offset: Int)
}

extension StrictJSONError {
    /// Position of the error in bytes from the start; nil when the text as a whole is at fault.
    package var offset: Int? {
        switch self {
        case .tooLarge, .byteOrderMark: nil
        case .tooDeep(let offset, _), .tooManyElements(let offset, _), .nameTooLong(let offset, _): offset
        case .unexpectedEnd(let offset), .unexpectedByte(let offset), .invalidUTF8(let offset),
            .controlCharacter(let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
            .invalidNumber(let offset), .duplicateMember(let offset), .trailingContent(let offset):
            offset
        }
    }
}
