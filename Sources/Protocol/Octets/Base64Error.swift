/// Why a text is not base64.
@nonexhaustive
package enum Base64Error: Error, Hashable, Sendable {
    /// No byte string has an encoding of this many characters.
    case impossibleLength(Int)
    /// A character outside the alphabet (also padding and white space) at this offset.
    case foreignCharacter(offset: Int)
    /// The last character carries bits that belong to no byte, so the text is not the canonical one.
    case trailingBits
}
