import SwiftASN1

/// Properties of a key that one party vouches for (AuthorizationList).
struct AndroidProperties {
    /// Numbers of the properties that are judged.
    private enum Tag {
        static let purpose: UInt = 1
        static let algorithm: UInt = 2
        static let keySize: UInt = 3
        static let digest: UInt = 5
        static let curve: UInt = 10
        static let rollbackResistance: UInt = 303
        static let noAuthenticationRequired: UInt = 503
        static let userAuthentication: UInt = 504
        static let authenticationTimeout: UInt = 505
        static let allApplications: UInt = 600
        static let origin: UInt = 702
        static let rollbackResistant: UInt = 703
        static let rootOfTrust: UInt = 704
        static let patchLevel: UInt = 706
        static let application: UInt = 709
    }

    /// Origin of a key that the key store has made itself.
    static let generated = 0
    /// Purpose of a key that signs.
    static let sign = 2

    /// Properties by number, each without its tag.
    private let values: [UInt: ASN1Node]

    /// Takes the list; its properties stand once each, in order.
    init(_ node: ASN1Node) throws(AndroidRefusal) {
        var fields = try AndroidFields(node, .sequence)
        var values: [UInt: ASN1Node] = [:]
        var last: UInt?
        while let field = fields.nextOrEnd() {
            let number = field.identifier.tagNumber
            guard field.identifier.tagClass == .contextSpecific, last.map({ $0 < number }) ?? true,
                case .constructed(let content) = field.content
            else { throw .malformed }
            var elements = content.makeIterator()
            guard let value = elements.next(), elements.next() == nil else { throw .malformed }
            values[number] = value
            last = number
        }
        self.values = values
    }

    // MARK: - Key

    var purposes: Set<Int>? { get throws(AndroidRefusal) { try integers(Tag.purpose) } }
    var digests: Set<Int>? { get throws(AndroidRefusal) { try integers(Tag.digest) } }
    var algorithm: Int? { get throws(AndroidRefusal) { try integer(Tag.algorithm) } }
    /// Size in bits.
    var keySize: Int? { get throws(AndroidRefusal) { try integer(Tag.keySize) } }
    var curve: Int? { get throws(AndroidRefusal) { try integer(Tag.curve) } }
    var origin: Int? { get throws(AndroidRefusal) { try integer(Tag.origin) } }
    /// Ways in which users are verified before the key is used, a bit for each.
    var userAuthentication: Int? { get throws(AndroidRefusal) { try integer(Tag.userAuthentication) } }
    /// Seconds for which the key stays open after the user was verified.
    var authenticationTimeout: Int? { get throws(AndroidRefusal) { try integer(Tag.authenticationTimeout) } }
    var needsNoAuthentication: Bool { values[Tag.noAuthenticationRequired] != nil }
    var isForAllApplications: Bool { values[Tag.allApplications] != nil }
    var isRollbackResistant: Bool {
        values[Tag.rollbackResistance] != nil || values[Tag.rollbackResistant] != nil
    }

    // MARK: - Device

    /// The security patches of the system, as YYYYMM.
    var patchLevel: Int? { get throws(AndroidRefusal) { try integer(Tag.patchLevel) } }

    /// State in which the device was started (RootOfTrust).
    var rootOfTrust: AndroidRootOfTrust? {
        get throws(AndroidRefusal) {
            guard let node = values[Tag.rootOfTrust] else { return nil }
            return try AndroidRootOfTrust(node)
        }
    }

    var owner: AndroidApplication? {
        get throws(AndroidRefusal) {
            guard let node = values[Tag.application] else { return nil }
            return try AndroidApplication(try AndroidFields.octets(node))
        }
    }

    private func integer(_ tag: UInt) throws(AndroidRefusal) -> Int? {
        guard let node = values[tag] else { return nil }
        return try AndroidFields.integer(node)
    }

    private func integers(_ tag: UInt) throws(AndroidRefusal) -> Set<Int>? {
        guard let node = values[tag] else { return nil }
        return try AndroidFields.integers(node)
    }
}

/// State in which a device was started.
struct AndroidRootOfTrust: Hashable {
    private static let verifiedState = 0

    /// Whether its loader is locked and takes only what the maker of the device has signed.
    let isVerified: Bool

    init(_ node: ASN1Node) throws(AndroidRefusal) {
        var fields = try AndroidFields(node, .sequence)
        // The key with which the system is signed.
        _ = try fields.readOctets()
        let isLocked = try fields.readBool()
        let state = try fields.readInteger(.enumerated)
        // From schema 3 on, the digest of what was started.
        if let digest = fields.nextOrEnd() { _ = try AndroidFields.octets(digest) }
        try fields.finish()
        isVerified = isLocked && state == Self.verifiedState
    }
}
