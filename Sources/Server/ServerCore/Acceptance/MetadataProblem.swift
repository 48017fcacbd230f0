package import UAF

/// Why metadata cannot be used; never holds what stands in a document beyond names of the specification and models.
@nonexhaustive
package enum MetadataProblem: Sendable, Hashable {
    /// There is no file of this name, or it must not be read.
    case unreadable
    /// It is no statement and no list of statements.
    case malformed(MessageError)
    /// There is a statement for this model already, in the document or in an earlier one.
    case duplicate(AAID)
    /// The documents hold no statements.
    case empty
}

extension MetadataProblem: CustomStringConvertible {
    /// A part of a sentence for the operator.
    package var description: String {
        switch self {
        case .unreadable: "the file cannot be read"
        case .malformed(.notJSON(let offset)): "not JSON" + (offset.map { ", at byte \($0)" } ?? "")
        case .malformed(.invalidMember(let path, let fault)): "\(path.joined(separator: ".")): \(Self.words(fault))"
        case .malformed(let error): "\(error)"
        case .duplicate(let aaid): "a second statement for \(aaid.text)"
        case .empty: "there are no statements"
        }
    }

    private static func words(_ fault: MemberFault) -> String {
        switch fault {
        case .missing: "must be given"
        case .wrongType: "has the wrong type"
        case .outOfRange: "is out of range"
        default: "has the wrong form"
        }
    }
}
