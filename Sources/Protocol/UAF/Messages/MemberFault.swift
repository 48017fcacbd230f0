/// Reasons to refuse a member of a message.
@nonexhaustive
public enum MemberFault: Hashable, Sendable {
    /// It must be there and is not.
    case missing
    /// The value is of another JSON type.
    case wrongType
    /// A number or a length lies outside the allowed range.
    case outOfRange
    /// The value is of the right type but not of the required form.
    case invalidForm
}
