/// Errors of reading a JSON text.
///
/// Offsets count bytes from the start of the text.
@nonexhaustive
package enum StrictJSONError: Error, Hashable, Sendable {
    /// The text is longer than allowed.
    case tooLarge(byteCount: Int, limit: Int)
    /// Arrays and objects are nested deeper than allowed.
    case tooDeep(offset: Int, limit: Int)
    /// An array has more elements, or an object more members, than allowed.
    case tooManyElements(offset: Int, limit: Int)
    /// A member name is longer than allowed.
    case nameTooLong(offset: Int, limit: Int)
    /// The text begins with a byte order mark.
    case byteOrderMark
    /// The text ends inside a value.
    case unexpectedEnd(offset: Int)
    /// A byte that cannot stand here.
    case unexpectedByte(offset: Int)
    /// A string holds bytes that are not UTF-8.
    case invalidUTF8(offset: Int)
    /// A string holds an unescaped control character.
    case controlCharacter(offset: Int)
    /// A backslash is followed by something that is no escape.
    case invalidEscape(offset: Int)
    /// An escape names half of a surrogate pair.
    case loneSurrogate(offset: Int)
    /// Not a number by the grammar of JSON.
    case invalidNumber(offset: Int)
    /// One object has two members of the same name.
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
