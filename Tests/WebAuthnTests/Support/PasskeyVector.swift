import DeviceAttestation
import Octets
import StrictJSON
import TestSupport
import Testing
import WebAuthn

/// One vector of the standard: a key that is made, and a signature with it.
struct PasskeyVector: Sendable, CustomTestStringConvertible {
    /// Parts of an answer with a new key, each with the steps that find a change in it.
    enum RegistrationField: CaseIterable {
        case id, clientData, digest, flags, counter, model, idLength, idInObject, key, statement

        var steps: Set<Int> {
            switch self {
            case .id: [27]
            // The last is the signature over it.
            case .clientData: [5, 6, 7, 8, 9, 10, 22]
            case .digest: [14]
            case .flags: [13, 15]
            case .counter, .model: [22]
            case .idLength: [13]
            case .idInObject: [22, 27]
            case .key: [13, 20, 22]
            case .statement: [13, 21, 22, 24]
            }
        }
    }

    /// Parts of an answer with a signature.
    enum AssertionField: CaseIterable {
        case id, clientData, digest, flags, counter, signature

        var steps: Set<Int> {
            switch self {
            case .id: [6]
            case .clientData: [8, 9, 10, 11, 12, 13, 21]
            case .digest: [15]
            case .flags: [7, 16]
            case .counter, .signature: [21]
            }
        }
    }

    let name: String
    let registration: MadeRegistration
    let assertion: MadeAssertion
    let ceremonies: PasskeyCeremonies
    /// Certificate of the authority of the vectors (DER).
    let root: [UInt8]
    /// Place of the authenticator data in the attestation object.
    private let report: Range<Int>
    private let object: [UInt8]

    var testDescription: String { name }

    /// Whether the algorithm of the key is offered.
    var isOffered: Bool { !["packed-es384", "packed-es512", "packed-ed448"].contains(name) }

    private var isSigned: Bool { !name.hasPrefix("none") }

    var attestation: VerifiedPasskey.Attestation {
        if !isSigned { return .none }
        return name.hasPrefix("packed-self") ? .itself : .certified
    }

    func registered() async throws -> VerifiedPasskey { try await ceremonies.registration(registration.text) }

    // MARK: - Changes

    private static let digestByteCount = 32
    private static let headByteCount = 37
    private static let modelByteCount = 16

    /// Places in a part where a change has to be found: without a signature that is what the steps judge.
    func positions(of field: RegistrationField, stride: Int) -> [Int] {
        let start = report.lowerBound
        let idStart = start + Self.headByteCount + Self.modelByteCount + 2
        let range: [Int] =
            switch field {
            case .id: Array(registration.id.indices)
            case .clientData: Array(0..<(isSigned ? registration.clientData.count : judged(registration.clientData)))
            case .digest: Array(start..<start + Self.digestByteCount)
            case .flags: [start + Self.digestByteCount]
            case .counter: isSigned ? Array(start + Self.digestByteCount + 1..<start + Self.headByteCount) : []
            case .model: isSigned ? Array(start + Self.headByteCount..<idStart - 2) : []
            case .idLength: Array(idStart - 2..<idStart)
            case .idInObject: Array(idStart..<idStart + registration.id.count)
            case .key: Array(idStart + registration.id.count..<report.upperBound)
            case .statement: object.indices.filter { !report.contains($0) }
            }
        return Self.every(stride, of: range)
    }

    func positions(of field: AssertionField, stride: Int) -> [Int] {
        let range: Range<Int> =
            switch field {
            case .id: assertion.id.indices
            case .clientData: assertion.clientData.indices
            case .digest: 0..<Self.digestByteCount
            case .flags: Self.digestByteCount..<Self.digestByteCount + 1
            case .counter: Self.digestByteCount + 1..<Self.headByteCount
            case .signature: assertion.signature.indices
            }
        return Self.every(stride, of: Array(range))
    }

    func changed(_ field: RegistrationField, at position: Int) -> MadeRegistration {
        var changed = registration
        switch field {
        case .id: changed.id[position] ^= 1
        case .clientData: changed.clientData[position] ^= 1
        default:
            var object = object
            object[position] ^= 1
            changed.object = object
        }
        return changed
    }

    func changed(_ field: AssertionField, at position: Int) -> MadeAssertion {
        var changed = assertion
        switch field {
        case .id: changed.id[position] ^= 1
        case .clientData: changed.clientData[position] ^= 1
        case .signature: changed.signature[position] ^= 1
        case .digest, .flags, .counter: changed.authenticatorData[position] ^= 1
        }
        return changed
    }

    private static func every(_ stride: Int, of positions: [Int]) -> [Int] {
        positions.enumerated().filter { $0.offset.isMultiple(of: stride) }.map(\.element)
    }

    /// Number of bytes of client data that have to be there, with the one behind them; the others may be absent.
    private func judged(_ clientData: [UInt8]) -> Int {
        let text = String(decoding: clientData, as: UTF8.self)
        return text.firstRange(of: /"origin":"https:..example.org"/).map { text[..<$0.upperBound].utf8.count + 1 } ?? 0
    }

    // MARK: - Reading

    /// The vectors; none without the folder.
    static func all() throws -> [PasskeyVector] {
        guard VectorFolder.isPresent else { return [] }
        let file = try JSONParser.parse(
            try VectorFolder.bytes(of: "webauthn/spec-vectors.json"), limits: .document
        ).asObject()
        let root = try octets(file, "attestation_ca_cert")
        return try file.required("cases") { value throws(JSONTypeError) in try value.asArray() }.map {
            try PasskeyVector(try $0.asObject(), root: root)
        }
    }

    private init(_ members: JSONObject, root: [UInt8]) throws {
        name = try members.string("name")
        self.root = root
        let made = try Self.object(members, "registration")
        let used = try Self.object(members, "authentication")
        let id = try Self.octets(made, "credential_id")
        let object = try Self.octets(made, "attestationObject")
        registration = MadeRegistration(
            id: id, clientData: try Self.octets(made, "clientDataJSON"), format: "", statement: [:],
            authenticatorData: [], object: object)
        assertion = MadeAssertion(
            id: id, clientData: try Self.octets(used, "clientDataJSON"),
            authenticatorData: try Self.octets(used, "authenticatorData"),
            signature: try Self.octets(used, "signature"))
        // Authenticator data are the last member: they end the object.
        let digest = try Self.octets(used, "authenticatorData").prefix(Self.digestByteCount)
        let start = try #require(object.indices.last { object[$0...].starts(with: digest) })
        report = start..<object.count
        self.object = object
        var ceremonies = try PasskeyCeremonies()
        ceremonies.settings.attestation.roots = try TrustRoots([root])
        ceremonies.settings.attestation.requiresAndroidHardware = false
        ceremonies.settings.embedding = .within([])
        ceremonies.creation = CreationOffer(
            challenge: try Self.octets(made, "challenge"), user: ceremonies.creation.user)
        ceremonies.creation.userVerification = .preferred
        ceremonies.request = RequestOffer(challenge: try Self.octets(used, "challenge"))
        ceremonies.request.userVerification = .preferred
        ceremonies.request.user = ceremonies.creation.user.handle
        self.ceremonies = ceremonies
    }

    private static func object(_ members: JSONObject, _ name: String) throws -> JSONObject {
        try members.required(name) { value throws(JSONTypeError) in try value.asObject() }
    }

    private static func octets(_ members: JSONObject, _ name: String) throws -> [UInt8] {
        try Hex.decode(try members.string(name))
    }
}
