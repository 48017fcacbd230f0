import Octets
import StrictJSON

/// The fixed-size facts in an assertion (`TAG_ASSERTION_INFO`), without the key format of a registration.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 and 5.2.2.
public struct AssertionInfo: Hashable, Sendable {
    /// Version of the authenticator.
    public let authenticatorVersion: UInt16
    /// User action that the assertion attests.
    public let mode: AuthenticationMode
    /// Algorithm of the signature beside the signed data: of the attestation in a registration, else of the key.
    public let signatureAlgorithm: AuthenticationAlgorithm

    /// Creates the info of one assertion.
    public init(authenticatorVersion: UInt16, mode: AuthenticationMode, signatureAlgorithm: AuthenticationAlgorithm) {
        self.authenticatorVersion = authenticatorVersion
        self.mode = mode
        self.signatureAlgorithm = signatureAlgorithm
    }
}

extension AssertionInfo {
    /// Reads the fields that registrations and authentications have in common.
    init(from reader: inout OctetReader) throws(OctetError) {
        self.init(
            authenticatorVersion: try reader.readUInt16LittleEndian(),
            mode: AuthenticationMode(rawValue: try reader.readUInt8()),
            signatureAlgorithm: AuthenticationAlgorithm(rawValue: try reader.readUInt16LittleEndian()))
    }

    /// The value of the element, with the key format that a registration adds.
    func octets(publicKeyFormat: PublicKeyFormat? = nil) -> [UInt8] {
        var writer = OctetWriter(capacity: 7)
        writer.writeUInt16LittleEndian(authenticatorVersion)
        writer.writeUInt8(mode.rawValue)
        writer.writeUInt16LittleEndian(signatureAlgorithm.rawValue)
        if let publicKeyFormat { writer.writeUInt16LittleEndian(publicKeyFormat.rawValue) }
        return writer.bytes
    }
}

/// Extension inside an assertion; signed when it is in the signed data.
///
/// FIDO UAF Authenticator Commands 1.1, 4.3 (`TAG_EXTENSION`).
///
/// ```swift
/// let used = UserVerificationMethodUsed(
///     userVerification: .fingerprint, keyProtection: .hardware, matcherProtection: .onChip)
/// let method = AssertionExtension(id: .userVerificationMethod, data: used.data, failIfUnknown: false)
/// ```
public struct AssertionExtension: Hashable, Sendable {
    /// Identifier of the extension.
    public let id: ExtensionID
    /// Its data.
    public let data: [UInt8]
    /// Whether a receiver that does not know the extension must refuse the assertion.
    public let failIfUnknown: Bool

    /// Makes an extension.
    public init(id: ExtensionID, data: [UInt8], failIfUnknown: Bool) {
        self.id = id
        self.data = data
        self.failIfUnknown = failIfUnknown
    }
}

extension AssertionExtension {
    init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(of: element, single: [.extensionID, .extensionData])
        let name = try fields.required(.extensionID)
        guard let id = ExtensionID(try name.text()) else {
            throw .invalidValue(.extensionID, position: name.position)
        }
        self.init(
            id: id, data: Array(try fields.required(.extensionData).value),
            failIfUnknown: element.tag == .criticalExtension)
    }

    static func all(in fields: TLVFields) throws(TLVError) -> [AssertionExtension] {
        var extensions: [AssertionExtension] = []
        for element in fields.all(where: { $0 == .criticalExtension || $0 == .noncriticalExtension }) {
            extensions.append(try AssertionExtension(element))
        }
        return extensions
    }

    func write(to writer: inout TLVWriter) throws(TLVError) {
        let tag: TLVTag = failIfUnknown ? .criticalExtension : .noncriticalExtension
        try writer.write(tag) { writer throws(TLVError) in
            try writer.write(.extensionID, id.text.utf8)
            try writer.write(.extensionData, data)
        }
    }
}

extension TLVWriter {
    mutating func write(_ extensions: [AssertionExtension]) throws(TLVError) {
        for one in extensions { try one.write(to: &self) }
    }
}

/// Encoding scheme of assertions; names have eight characters.
///
/// FIDO UAF Registry 1.1, 2; unknown schemes are kept and skipped by the server. Compared byte by byte.
public struct AssertionScheme: Hashable, Sendable, CustomStringConvertible {
    /// The TLV encoding of FIDO UAF 1.0 and 1.1, the only one this package reads.
    public static let uafV1TLV = AssertionScheme("UAFV1TLV")

    private let exact: ExactString

    /// Takes a name as it is.
    public init(_ name: String) { exact = ExactString(name) }

    /// The name as it was given.
    public var name: String { exact.text }

    /// Same as ``name``.
    public var description: String { name }
}

/// The base64url text that carries an assertion.
enum AssertionText {
    static func octets(of text: String, limit: Int, rules: DecodingRules) throws(MessageError) -> [UInt8] {
        do throws(JSONTypeError) {
            return try JSONValue.string(text).asOctets(byteCounts: 1...limit, rules: rules)
        } catch {
            throw MessageError(error.inside("assertion"))
        }
    }
}
