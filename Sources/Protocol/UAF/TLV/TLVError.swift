/// Errors of decoding TLV; positions count bytes from the start of the outermost element.
@nonexhaustive
public enum TLVError: Error, Hashable, Sendable {
    /// The assertion or command is larger than allowed.
    case tooLarge(byteCount: Int, limit: Int)
    /// Fewer bytes are left than an element needs.
    case truncated(position: Int)
    /// Bytes follow the outermost element or a fixed-size value.
    case trailing(position: Int)
    /// A tag has bits outside the 14 that exist.
    case invalidTag(UInt16, position: Int)
    /// A tag that is not known, or not allowed here, and must not be ignored.
    case unexpectedTag(TLVTag, position: Int)
    /// An element that must occur at most once occurs again.
    case repeatedTag(TLVTag, position: Int)
    /// An element that must be there is missing.
    case missingTag(TLVTag)
    /// The value of an element has a length or form that is not allowed.
    case invalidValue(TLVTag, position: Int)
    /// There is no attestation, or more than one.
    case attestationCount(Int)
    /// A value is too long to be written: lengths have 16 bits.
    case valueTooLong(TLVTag, byteCount: Int)
}
