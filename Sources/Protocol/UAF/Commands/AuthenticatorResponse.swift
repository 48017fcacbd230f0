/// An authenticator's answer to a command.
///
/// FIDO UAF Authenticator Commands 1.1, 6.
package enum AuthenticatorResponse: Hashable, Sendable {
    /// Result of a successful Sign.
    package enum SignResult: Hashable, Sendable {
        /// The assertion element, as bytes.
        case assertion([UInt8])
        /// Several keys fit: the user has to choose by name, then Sign is called again with the handle.
        case choices([UsernameAndKeyHandle])
    }

    /// A user name with the key made for it.
    package struct UsernameAndKeyHandle: Hashable, Sendable {
        /// Name of the account.
        package let username: String
        /// The wrapped key.
        package let keyHandle: [UInt8]

        /// Pairs a name with a key.
        package init(username: String, keyHandle: [UInt8]) {
            self.username = username
            self.keyHandle = keyHandle
        }
    }

    /// Descriptions of the authenticators that the module controls.
    case getInfo([AuthenticatorDescription])
    /// A new key: the assertion element as bytes, and the wrapped key unless the authenticator keeps it.
    case register(assertion: [UInt8], keyHandle: [UInt8]?)
    /// A signature, or a question.
    case sign(SignResult)
    /// The keys were deleted.
    case deregister
    /// The settings were shown.
    case openSettings
    /// The command failed.
    case failure(AuthenticatorCommandKind, CommandStatus)
}

extension AuthenticatorResponse {
    /// Version of the command interface (`TAG_API_VERSION`).
    static let apiVersion: UInt8 = 1

    /// Reads an answer.
    package init(octets: [UInt8]) throws(TLVError) {
        let limit = AuthenticatorCommand.byteLimit
        guard octets.count <= limit else { throw .tooLarge(byteCount: octets.count, limit: limit) }
        var reader = TLVReader(octets[...])
        guard let first = try reader.next() else { throw .truncated(position: 0) }
        let element = try TLVReader.readOnly(first.tag, from: octets)
        guard let kind = AuthenticatorCommandKind.allCases.first(where: { $0.responseTag == element.tag }) else {
            throw .unexpectedTag(element.tag, position: 0)
        }
        let fields = try TLVFields(of: element, single: kind.singleTags, repeatable: kind.repeatableTags)
        let status = CommandStatus(rawValue: try fields.required(.statusCode).uint16())
        guard status == .ok else {
            self = .failure(kind, status)
            return
        }
        self = try Self.success(of: kind, fields)
    }

    private static func success(
        of kind: AuthenticatorCommandKind, _ fields: TLVFields
    ) throws(TLVError) -> AuthenticatorResponse {
        switch kind {
        case .getInfo:
            let version = try fields.required(.apiVersion)
            guard try version.uint8() == apiVersion else {
                throw .invalidValue(.apiVersion, position: version.position)
            }
            var found: [AuthenticatorDescription] = []
            for info in fields.all(.authenticatorInfo) { found.append(try AuthenticatorDescription(info)) }
            return .getInfo(found)
        case .register:
            return .register(
                assertion: try fields.requiredOctets(.authenticatorAssertion),
                keyHandle: fields[.keyHandle].map { Array($0.value) })
        case .sign: return .sign(try SignResult(fields))
        case .deregister: return .deregister
        case .openSettings: return .openSettings
        }
    }

    /// The bytes of the answer, fields in the order of the specification's tables.
    package func encoded() throws(TLVError) -> [UInt8] {
        var writer = TLVWriter()
        try writer.write(kind.responseTag) { writer throws(TLVError) in
            try writer.write(.statusCode, uint16: status.rawValue)
            try writeResult(to: &writer)
        }
        return writer.octets
    }

    private func writeResult(to writer: inout TLVWriter) throws(TLVError) {
        switch self {
        case .getInfo(let authenticators):
            try writer.write(.apiVersion, [Self.apiVersion])
            for one in authenticators { try one.write(to: &writer) }
        case .register(let assertion, let keyHandle):
            try writer.write(.authenticatorAssertion, assertion)
            if let keyHandle { try writer.write(.keyHandle, keyHandle) }
        case .sign(.assertion(let assertion)): try writer.write(.authenticatorAssertion, assertion)
        case .sign(.choices(let choices)):
            for choice in choices {
                try writer.write(.usernameAndKeyHandle) { writer throws(TLVError) in
                    try writer.write(.username, choice.username.utf8)
                    try writer.write(.keyHandle, choice.keyHandle)
                }
            }
        case .deregister, .openSettings, .failure: break
        }
    }

    /// Kind of the command that is answered.
    package var kind: AuthenticatorCommandKind {
        switch self {
        case .getInfo: .getInfo
        case .register: .register
        case .sign: .sign
        case .deregister: .deregister
        case .openSettings: .openSettings
        case .failure(let kind, _): kind
        }
    }

    /// Status code of the command.
    package var status: CommandStatus {
        guard case .failure(_, let status) = self else { return .ok }
        return status
    }
}

extension AuthenticatorResponse.SignResult {
    /// Names and an assertion exclude each other.
    fileprivate init(_ fields: TLVFields) throws(TLVError) {
        let pairs = fields.all(.usernameAndKeyHandle)
        guard let first = pairs.first else {
            self = .assertion(try fields.requiredOctets(.authenticatorAssertion))
            return
        }
        guard fields[.authenticatorAssertion] == nil else {
            throw .unexpectedTag(.usernameAndKeyHandle, position: first.position)
        }
        var choices: [AuthenticatorResponse.UsernameAndKeyHandle] = []
        for pair in pairs {
            let parts = try TLVFields(of: pair, single: [.username, .keyHandle])
            choices.append(
                AuthenticatorResponse.UsernameAndKeyHandle(
                    username: try parts.required(.username).text(),
                    keyHandle: Array(try parts.required(.keyHandle).value)))
        }
        self = .choices(choices)
    }
}

extension AuthenticatorCommandKind {
    fileprivate var responseTag: TLVTag {
        switch self {
        case .getInfo: .getInfoResponse
        case .register: .registerResponse
        case .sign: .signResponse
        case .deregister: .deregisterResponse
        case .openSettings: .openSettingsResponse
        }
    }

    fileprivate var singleTags: [TLVTag] {
        switch self {
        case .getInfo: [.statusCode, .apiVersion]
        case .register: [.statusCode, .authenticatorAssertion, .keyHandle]
        case .sign: [.statusCode, .authenticatorAssertion]
        case .deregister, .openSettings: [.statusCode]
        }
    }

    fileprivate var repeatableTags: [TLVTag] {
        let extensions: [TLVTag] = [.criticalExtension, .noncriticalExtension]
        switch self {
        case .getInfo: return extensions + [.authenticatorInfo]
        case .sign: return extensions + [.usernameAndKeyHandle]
        default: return extensions
        }
    }
}
