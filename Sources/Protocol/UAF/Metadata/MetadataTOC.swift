package import StrictJSON

/// The table of contents of the metadata service.
///
/// FIDO Metadata Service 1.1, 3.1.6: payload of a JWS whose signature and certificates the caller has checked.
///
/// ```swift
/// let contents = try MetadataTOC(payload: payload)  // Of a JWS whose signature was verified.
/// let revoked = contents.entries.filter { $0.latestStatus == .revoked }.map(\.aaid)
/// ```
public struct MetadataTOC: Hashable, Sendable {
    /// Entry of one model.
    public struct Entry: Hashable, Sendable {
        /// The model.
        public let aaid: AAID
        /// base64url hash of the statement's text.
        public let hash: String?
        /// Location of the statement.
        public let url: String?
        /// Reports, oldest first; the latest counts.
        public let statusReports: [StatusReport]
        /// ISO 8601 date of the latest change.
        public let timeOfLastStatusChange: String
        /// Location and hash of the list of rogue ECDAA keys.
        public let rogueList: RogueListReference?
    }

    /// Location and hash of a list of rogue keys.
    public struct RogueListReference: Hashable, Sendable {
        /// Its URL.
        public let url: String
        /// base64url hash of it.
        public let hash: String
    }

    /// Serial number; it has to grow.
    public let number: Int64
    /// ISO 8601 date of the next issue.
    public let nextUpdate: String
    /// The models of the UAF family; entries for other families are left out.
    public let entries: [Entry]
}

/// One report about a model.
///
/// FIDO Metadata Service 1.1, 3.1.3.
public struct StatusReport: Hashable, Sendable {
    /// Reported status of the model.
    public let status: AuthenticatorStatus
    /// ISO 8601 date from which it holds.
    public let effectiveDate: String?
    /// The attestation certificate it is about, base64 DER.
    public let certificate: String?
    /// Location of further information.
    public let url: String?

    /// Creates a report.
    public init(
        status: AuthenticatorStatus, effectiveDate: String? = nil, certificate: String? = nil, url: String? = nil
    ) {
        self.status = status
        self.effectiveDate = effectiveDate
        self.certificate = certificate
        self.url = url
    }
}

/// Certification or security status of a model, as reported by the FIDO Alliance; unknown values are kept and ignored.
///
/// FIDO Metadata Service 1.1, 3.1.4.
public struct AuthenticatorStatus: Hashable, Sendable {
    /// Not certified.
    public static let notCertified = AuthenticatorStatus("NOT_FIDO_CERTIFIED")
    /// Certified.
    public static let certified = AuthenticatorStatus("FIDO_CERTIFIED")
    /// User verification can be got around.
    public static let userVerificationBypass = AuthenticatorStatus("USER_VERIFICATION_BYPASS")
    /// The attestation key is known to others.
    public static let attestationKeyCompromise = AuthenticatorStatus("ATTESTATION_KEY_COMPROMISE")
    /// Keys of users can be taken from afar.
    public static let userKeyRemoteCompromise = AuthenticatorStatus("USER_KEY_REMOTE_COMPROMISE")
    /// Keys of users can be taken by a thief of the device.
    public static let userKeyPhysicalCompromise = AuthenticatorStatus("USER_KEY_PHYSICAL_COMPROMISE")
    /// There is an update.
    public static let updateAvailable = AuthenticatorStatus("UPDATE_AVAILABLE")
    /// Not to be trusted any more (status code 1493).
    public static let revoked = AuthenticatorStatus("REVOKED")
    /// The maker assesses itself.
    public static let selfAssertionSubmitted = AuthenticatorStatus("SELF_ASSERTION_SUBMITTED")

    private static let known: Set<AuthenticatorStatus> = [
        notCertified, certified, userVerificationBypass, attestationKeyCompromise, userKeyRemoteCompromise,
        userKeyPhysicalCompromise, updateAvailable, revoked, selfAssertionSubmitted,
    ]

    private let exact: ExactString

    /// Takes a status as it is.
    public init(_ name: String) {
        exact = ExactString(name)
    }

    /// The name as it was given.
    public var name: String { exact.text }

    /// The level of security certification, 1 to 4, when the status states one.
    public var securityLevel: Int? {
        (1...4).first { AuthenticatorStatus("FIDO_SECURITY_CERTIFIED_L\($0)") == self }
    }

    /// Whether the value means something to this package.
    public var isKnown: Bool { Self.known.contains(self) || securityLevel != nil }
}

/// A compromised ECDAA key.
///
/// FIDO Metadata Service 1.1, 3.1.5.
public struct RogueListEntry: Hashable, Sendable {
    /// base64url of the secret key.
    public let sk: String
    /// ISO 8601 date from which it is known.
    public let date: String

    /// Creates an entry for one key.
    public init(sk: String, date: String) {
        self.sk = sk
        self.date = date
    }
}

private func text(_ json: JSONValue) throws(JSONTypeError) -> String {
    try json.asString()
}

extension StatusReport {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            status: AuthenticatorStatus(try members.required("status", text)),
            effectiveDate: try members.optional("effectiveDate", text),
            certificate: try members.optional("certificate", text), url: try members.optional("url", text))
    }
}

extension RogueListEntry {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(sk: try members.required("sk", text), date: try members.required("date", text))
    }
}

extension MetadataTOC {
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        number = try members.requiredInteger("no")
        nextUpdate = try members.required("nextUpdate", text)
        let all = try members.required("entries") { value throws(JSONTypeError) in
            try value.asArray { entry throws(JSONTypeError) in try Entry(json: entry) }
        }
        entries = all.compactMap { $0 }
    }

    /// Reads the payload of a checked table of contents; throws ``MessageError`` with the path to what is wrong.
    public init(payload: [UInt8]) throws(MessageError) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(payload, limits: .document)
        } catch {
            throw MessageError(error)
        }
        do throws(JSONTypeError) {
            try self.init(json: json)
        } catch {
            throw MessageError(error)
        }
    }
}

extension MetadataTOC.Entry {
    /// Nil for an entry without AAID, which belongs to another protocol family.
    fileprivate init?(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        guard let aaid: AAID = try members.optional("aaid", rules: .strict) else { return nil }
        self.aaid = aaid
        hash = try members.optional("hash", text)
        url = try members.optional("url", text)
        statusReports = try members.required("statusReports") { value throws(JSONTypeError) in
            try value.asArray { report throws(JSONTypeError) in try StatusReport(json: report) }
        }
        timeOfLastStatusChange = try members.required("timeOfLastStatusChange", text)
        let location = try members.optional("rogueListURL", text)
        let digest = try members.optional("rogueListHash", text)
        rogueList = location.flatMap { url in digest.map { MetadataTOC.RogueListReference(url: url, hash: $0) } }
    }

    /// The status that counts: the latest one that is known.
    public var latestStatus: AuthenticatorStatus? { statusReports.last { $0.status.isKnown }?.status }
}
