package import StrictJSON

/// Properties of a device that Android's key store has to state about the place of a key.
package struct AndroidDeviceDemand: Sendable, Hashable {
    /// Months that ``patchAge`` may have at most.
    package static let patchAges = 0...120

    /// Whether the key has to lie in a security chip of its own; trusted hardware it is always.
    package var isStrongBoxRequired = false
    /// Whether the device has to run what its maker has signed, with a locked loader.
    package var isVerifiedBootRequired = true
    /// Whether the hardware has to delete keys for good.
    package var isRollbackResistanceRequired = false
    /// The oldest security patches of the system, year and month as YYYYMM; nil takes all.
    package var oldestPatchLevel: Int?
    /// Age in months that the patches have at most; nil takes all.
    package var patchAge: Int?

    package init() {}

    /// Whether a number is a year and a month as YYYYMM.
    package static func isPatchLevel(_ number: Int) -> Bool {
        (2_015...2_999).contains(number / 100) && (1...12).contains(number % 100)
    }

    /// The demands of both: each property as strict as the stricter one says.
    package func tightened(by other: AndroidDeviceDemand) -> AndroidDeviceDemand {
        var both = self
        both.isStrongBoxRequired = isStrongBoxRequired || other.isStrongBoxRequired
        both.isVerifiedBootRequired = isVerifiedBootRequired || other.isVerifiedBootRequired
        both.isRollbackResistanceRequired = isRollbackResistanceRequired || other.isRollbackResistanceRequired
        both.oldestPatchLevel = [oldestPatchLevel, other.oldestPatchLevel].compactMap(\.self).max()
        both.patchAge = [patchAge, other.patchAge].compactMap(\.self).min()
        return both
    }

    /// The oldest patches that pass at a time, as YYYYMM; nil when all do.
    package func oldestPatchLevel(at time: Timestamp) -> Int? {
        let day = time.iso8601
        guard let patchAge, let year = Int(day.prefix(4)), let month = Int(day.dropFirst(5).prefix(2)) else {
            return oldestPatchLevel
        }
        let months = year * 12 + month - 1 - patchAge
        return max(months / 12 * 100 + months % 12 + 1, oldestPatchLevel ?? 0)
    }
}

/// The form in a policy: an alternative of `ch.nevis.auth.fido.uaf.android-key-attestation-verifications`.
///
/// The names of the members are not confirmed for the closed product (`docs/security/attestation.md`); they stand here
/// and nowhere else.
extension AndroidDeviceDemand {
    private enum Name {
        static let level = "security_level"
        static let boot = "verified_boot"
        static let rollback = "rollback_resistance"
        static let patch = "oldest_patch_level"
        static let age = "max_patch_age_months"
        static let all: Set = [level, boot, rollback, patch, age]
    }

    private static let trustedEnvironment = "TRUSTED_ENVIRONMENT"
    private static let strongBox = "STRONG_BOX"

    /// Reads an alternative; what it does not name, it does not demand.
    package init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        try members.requireOnly(Name.all)
        let isStrongBox = try members.optional(Name.level) { value throws(JSONTypeError) in
            switch try value.asString() {
            case Self.trustedEnvironment: false
            case Self.strongBox: true
            default: throw JSONTypeError(.invalidForm)
            }
        }
        isStrongBoxRequired = isStrongBox ?? false
        isVerifiedBootRequired = try members.optional(Name.boot, Self.flag) ?? false
        isRollbackResistanceRequired = try members.optional(Name.rollback, Self.flag) ?? false
        oldestPatchLevel = try members.optional(Name.patch) { value throws(JSONTypeError) in
            let number = try value.asInteger(Int.self)
            guard Self.isPatchLevel(number) else { throw JSONTypeError(.outOfRange) }
            return number
        }
        patchAge = try members.optional(Name.age) { value throws(JSONTypeError) in
            let months = try value.asInteger(Int.self)
            guard Self.patchAges.contains(months) else { throw JSONTypeError(.outOfRange) }
            return months
        }
    }

    private static func flag(_ json: JSONValue) throws(JSONTypeError) -> Bool { try json.asBool() }

    package var json: JSONValue {
        .object([
            Name.level: .string(isStrongBoxRequired ? Self.strongBox : Self.trustedEnvironment),
            Name.boot: .bool(isVerifiedBootRequired), Name.rollback: .bool(isRollbackResistanceRequired),
            Name.patch: oldestPatchLevel.map { .integer($0) }, Name.age: patchAge.map { .integer($0) },
        ])
    }
}
