package import StrictJSON

/// Reasons to refuse a UAF message, or a value that would stand in one.
///
/// ```swift
/// do {
///     requests.append(try OperationRequest(message: message))
/// } catch {
///     report(error.clientErrorCode)
/// }
/// ```
@nonexhaustive
public enum MessageError: Error, Hashable, Sendable {
    /// The text is not JSON as the protocol allows it; `offset` counts bytes and is nil when the whole text is at
    /// fault.
    case notJSON(offset: Int?)
    /// A member is missing or its value is not allowed.
    ///
    /// `path` holds the names and indices that lead to it, outermost first; all of them are names of the protocol.
    case invalidMember(path: [String], MemberFault)
    /// The message array is empty.
    case emptyMessage
    /// The message array holds two elements for one protocol version, or several where one is expected.
    case severalElements
    /// No element of the message has a protocol version that is supported.
    case unsupportedVersion
    /// An extension that must not be ignored is not known.
    case unknownCriticalExtension

    /// Error code that a client reports (FIDO UAF Application API 1.1, section 2.3).
    public var clientErrorCode: ClientErrorCode {
        switch self {
        case .unsupportedVersion: .unsupportedVersion
        case .unknownCriticalExtension: .unknown
        case .notJSON, .invalidMember, .emptyMessage, .severalElements: .protocolError
        }
    }
}

extension MessageError {
    /// Part of a response that an error is about.
    package enum Part: Hashable, Sendable, CaseIterable {
        /// The text, the array or its element, before any member of a response.
        case envelope
        case header
        case finalChallengeParameters
        case assertions

        fileprivate init?(member name: String) {
            switch name {
            case "header": self = .header
            case "fcParams": self = .finalChallengeParameters
            case "assertions": self = .assertions
            default: return nil
            }
        }
    }

    package var part: Part {
        switch self {
        case .notJSON, .emptyMessage, .severalElements: return .envelope
        case .unsupportedVersion, .unknownCriticalExtension: return .header
        case .invalidMember(let path, _):
            // Before the member of the response the path may hold the position of the element in the message.
            for name in path {
                if let part = Part(member: name) { return part }
            }
            return .envelope
        }
    }
}

extension MessageError {
    package init(_ error: JSONTypeError) {
        let fault: MemberFault =
            switch error.reason {
            case .missing: .missing
            case .wrongKind: .wrongType
            case .outOfRange: .outOfRange
            case .invalidForm, .unknownMember: .invalidForm
            }
        self = .invalidMember(path: error.path, fault)
    }

    package init(_ error: StrictJSONError) {
        switch error {
        case .tooLarge, .byteOrderMark: self = .notJSON(offset: nil)
        case .tooDeep(let offset, _), .tooManyElements(let offset, _), .nameTooLong(let offset, _),
            .unexpectedEnd(let offset), .unexpectedByte(let offset), .invalidUTF8(let offset),
            .controlCharacter(let offset), .invalidEscape(let offset), .loneSurrogate(let offset),
            .invalidNumber(let offset), .duplicateMember(let offset), .trailingContent(let offset):
            self = .notJSON(offset: offset)
        }
    }
}
