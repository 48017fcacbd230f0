import Crypto
import DeviceAttestation
import Foundation
import Octets
import StrictCBOR
import StrictJSON
import TestSupport
import WebAuthn
import X509

/// Change of an answer that makes it unsound, or is meant to.
enum OpinionMutation: CaseIterable {
    case octet, end, origin, type, challenge, relyingParty, frame, spelling, flags, counter, key, format, member, maker
}

/// Answer for a second opinion, with what both judges are told.
struct OpinionCase {
    var ceremonies: PasskeyCeremonies
    var json: JSONObject
    /// The record of the key; nil for a new one.
    var record: PasskeyRecord?
    /// Certificates that end a path (DER).
    var roots: [[UInt8]] = []

    /// The case with the verdict of this project, as one object.
    func judged() async -> JSONObject {
        let text = JSONWriter.write(.object(json))
        var verdict = "accepted"
        do {
            if let record {
                _ = try ceremonies.authentication(text, record)
            } else {
                _ = try await ceremonies.registration(text)
            }
        } catch {
            verdict = "\(error)"
        }
        let demand = record == nil ? ceremonies.creation.userVerification : ceremonies.request.userVerification
        return [
            "answer": .object(json), "verdict": .string(verdict),
            "challenge": .string(
                Base64URL.encode(record == nil ? ceremonies.creation.challenge : ceremonies.request.challenge)),
            "verification": .bool(demand == .required),
            "roots": .array(roots.map { .string(Base64URL.encode($0)) }),
            "key": record.map { .string(Base64URL.encode($0.key.octets)) },
            "counter": record.map { .integer($0.state.signCounter) },
        ]
    }
}

/// Makes answers of every kind at random, and spoils them.
struct OpinionGenerator {
    private var random: SeededGenerator
    private let maker: SoftwareMaker
    private let stranger: SoftwareMaker

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        maker = try SoftwareMaker()
        stranger = try SoftwareMaker()
    }

    /// An answer with a new key, or with a signature; sound without a mutation.
    mutating func answer(_ mutation: OpinionMutation? = nil) async throws -> OpinionCase {
        var ceremonies = try PasskeyCeremonies()
        let roots = [maker.authority.root, maker.authority.intermediate]
        ceremonies.settings.attestation.roots = try TrustRoots(roots)
        let demand = chosen(PasskeyDemand.allCases)
        ceremonies.creation.userVerification = demand
        ceremonies.request.userVerification = demand
        var authenticator = SoftwareAuthenticator(try .new(chosen(COSEAlgorithm.allCases)))
        authenticator.id = octets(chosen([16, 32, 64, 1023]))
        authenticator.counter = chosen([0, 1, 77])
        authenticator.client.others = chosen([#","crossOrigin":false"#, #","crossOrigin":false,"extra":[1]"#])
        let backup: UInt8 = chosen([0, 0x08, 0x18])
        authenticator.flags = (demand == .required || Bool.random(using: &random) ? 0x05 : 0x01) | backup
        if Bool.random(using: &random) {
            return try await registration(authenticator, ceremonies, roots, mutation)
        }
        return try await assertion(authenticator, ceremonies, mutation)
    }

    // MARK: - New keys

    private mutating func registration(
        _ sound: SoftwareAuthenticator, _ ceremonies: PasskeyCeremonies, _ roots: [[UInt8]],
        _ mutation: OpinionMutation?
    ) async throws -> OpinionCase {
        var (authenticator, format) = (sound, chosen(Self.formats(of: sound.key)))
        if format == .fidoU2F { authenticator.model = [UInt8](repeating: 0, count: 16) }
        spoil(&authenticator, mutation)
        let isCertified = format != .packed || Bool.random(using: &random)
        var made = try authenticator.registration(
            ceremonies.creation, format, by: isCertified ? (mutation == .maker ? stranger : maker) : nil)
        switch mutation {
        case .octet?: spoilOctet(of: &made)
        case .end?: made.authenticatorData += chosen([[0], [0xA0], [0xF6]])
        case .challenge?: made.clientData = authenticator.client.data("webauthn.create", challenge: octets(32))
        case .key?: made.id = octets(32)
        case .format?: made.format = chosen(["none", "packed", "fido-u2f", "apple", "compound", "None"])
        case .member?: made.statement[chosen(["x5c", "sig", "alg", "other"])] = chosen([nil, .null, .bytes([])])
        case .counter?, .maker?, .origin?, .type?, .relyingParty?, .frame?, .spelling?, .flags?, nil: break
        }
        return OpinionCase(ceremonies: ceremonies, json: made.json, roots: roots)
    }

    private static func formats(of key: PasskeyKeyPair) -> [AttestationFormat] {
        switch key {
        case .es256: AttestationFormat.allCases
        case .rs256: [.none, .packed, .tpm]
        case .eddsa, .mldsa65: [.none, .packed]
        }
    }

    private mutating func spoilOctet(of made: inout MadeRegistration) {
        switch chosen([0, 1, 2, 3]) {
        case 0: spoil(&made.clientData)
        case 1: spoil(&made.authenticatorData)
        default:
            var object = made.attestationObject
            spoil(&object)
            made.object = object
        }
    }

    // MARK: - Signatures

    private mutating func assertion(
        _ sound: SoftwareAuthenticator, _ ceremonies: PasskeyCeremonies, _ mutation: OpinionMutation?
    ) async throws -> OpinionCase {
        let record = try await ceremonies.record(of: sound)
        var authenticator = sound
        if authenticator.counter > 0 { authenticator.counter += mutation == .counter ? 0 : 1 }
        spoil(&authenticator, mutation)
        var made = try authenticator.assertion(ceremonies.request)
        switch mutation {
        case .octet?:
            switch chosen([0, 1, 2]) {
            case 0: spoil(&made.clientData)
            case 1: spoil(&made.authenticatorData)
            default: spoil(&made.signature)
            }
        case .end?: made.signature = chosen([[], made.signature + [0], Array(made.signature.dropLast())])
        case .challenge?: made.clientData = authenticator.client.data("webauthn.get", challenge: octets(32))
        case .key?, .maker?:
            made.signature = try P256.Signing.PrivateKey().signature(for: [1]).derRepresentation.map(\.self)
        case .format?, .member?: made.authenticatorData = authenticator.authenticatorData(ofNewKey: true)
        case .counter?, .origin?, .type?, .relyingParty?, .frame?, .spelling?, .flags?, nil: break
        }
        return OpinionCase(ceremonies: ceremonies, json: made.json, record: record)
    }

    // MARK: - Parts

    /// Changes what is signed.
    private mutating func spoil(_ authenticator: inout SoftwareAuthenticator, _ mutation: OpinionMutation?) {
        let challenge = #"{"challenge":"AAECAw","type":"webauthn.get","origin":"https://example.org"}"#
        switch mutation {
        case .origin?: authenticator.client.origin = chosen(["https://example.com", "http://example.org", ""])
        case .type?: authenticator.client.type = chosen(["webauthn.other", "", "webauthn.Create"])
        case .relyingParty?: authenticator.relyingPartyID = chosen(["example.com", "", "login.example.org"])
        case .frame?:
            authenticator.client.others = chosen([
                #","crossOrigin":true"#, #","crossOrigin":true,"topOrigin":"https://other.test""#,
            ])
        case .spelling?:
            authenticator.client.others = chosen([
                #", "crossOrigin":false"#, #","crossOrigin":false,"origin":"https://example.org""#,
                #","crossOrigin":"no""#, " ",
            ])
            if Bool.random(using: &random) { authenticator.client.text = challenge }
        case .flags?: authenticator.flags = chosen([0, 0x04, 0x11, 0x15, authenticator.flags ^ 0x08])
        default: break
        }
    }

    private mutating func spoil(_ octets: inout [UInt8]) {
        octets[Int.random(in: octets.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
    }

    private mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func chosen<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }
}
