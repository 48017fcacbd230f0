import StrictJSON
package import UAF

/// A policy in UAF JSON, as a file of the operator holds it, also one of the closed product.
package struct PolicyFile: Sendable, Hashable {
    package let policy: Policy
    package let demands: PolicyDemands

    /// Place and cause of a fault; both are about the file, never about a secret.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// Place in the file, from 1.
        package let line: Int
        package let column: Int
        /// Names and indices that lead to the value.
        package let path: [String]
        let words: String

        package var description: String {
            "\(line):\(column): \(path.joined(separator: "."))\(path.isEmpty ? "" : ": ")\(words)"
        }
    }

    /// Reads a file; throws the first fault.
    package init(_ text: [UInt8]) throws(Fault) {
        let json: JSONValue
        do throws(StrictJSONError) {
            json = try JSONParser.parse(text)
        } catch {
            throw Fault(error, in: text)
        }
        do throws(JSONTypeError) {
            try self.init(json)
        } catch {
            throw Fault(error, in: text)
        }
    }

    private init(_ json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        try members.requireOnly(["accepted", "disallowed", "exts"])
        var everywhere = StatedDemands()
        let rest = try everywhere.read(members)
        // A policy of UAF has no extensions, so nothing else can be meant for a phone.
        guard rest.isEmpty else { throw JSONTypeError(path: ["exts"], .invalidForm) }
        var alternatives: [[PolicyDemand]] = []
        let accepted = try members.required("accepted") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { set throws(JSONTypeError) in
                var stated = everywhere
                let criteria = try set.asNonEmptyArray { one throws(JSONTypeError) in
                    try Self.criteria(one, &stated)
                }
                guard criteria.count == 1 || stated == StatedDemands() else { throw JSONTypeError(.invalidForm) }
                alternatives.append(stated.alternatives)
                return criteria
            }
        }
        let disallowed = try members.optional("disallowed") { value throws(JSONTypeError) in
            try value.asArray { one throws(JSONTypeError) in
                var stated = StatedDemands()
                let criteria = try Self.criteria(one, &stated)
                guard stated == StatedDemands() else { throw JSONTypeError(path: ["exts"], .invalidForm) }
                return criteria
            }
        }
        policy = Policy(accepted: accepted, disallowed: disallowed ?? [])
        demands = PolicyDemands(alternatives)
    }

    private static let criteriaNames: Set = [
        "aaid", "vendorID", "keyIDs", "userVerification", "keyProtection", "matcherProtection", "attachmentHint",
        "tcDisplay", "authenticationAlgorithms", "assertionSchemes", "attestationTypes", "authenticatorVersion", "exts",
    ]

    private static func criteria(
        _ json: JSONValue, _ stated: inout StatedDemands
    ) throws(JSONTypeError) -> MatchCriteria {
        let members = try json.asObject()
        try members.requireOnly(criteriaNames)
        let extensions = try stated.read(members)
        let rest = JSONObject(distinct: members.members.filter { $0.name != "exts" })
        var criteria = try MatchCriteria(json: .object(rest), rules: .strict)
        criteria.extensions = extensions
        return criteria
    }
}

/// The extensions of the closed product that demand statements, as they stand in one list.
private struct StatedDemands: Hashable {
    private enum Identifier: String {
        case androidApplication = "ch.nevis.auth.fido.uaf.android-app-attestation-policy"
        case appleApplication = "ch.nevis.auth.fido.uaf.ios-app-attestation-policy"
        case androidKey = "ch.nevis.auth.fido.uaf.android-key-attestation-verifications"
    }

    private var packages: Set<String>?
    private var bundles: Set<String>?
    private var devices: [AndroidDeviceDemand]?

    /// A demand for each device; what is named about keys of Android needs a statement of Android.
    var alternatives: [PolicyDemand] {
        guard let devices else {
            return packages == nil && bundles == nil ? [] : [PolicyDemand(packages: packages, bundles: bundles)]
        }
        return devices.map { PolicyDemand(packages: packages ?? [], bundles: bundles, device: $0) }
    }

    /// Takes the extensions that demand statements; returns the others, which travel to the phone.
    mutating func read(_ members: JSONObject) throws(JSONTypeError) -> [MessageExtension] {
        let others = try members.optional("exts") { value throws(JSONTypeError) in
            try value.asArray { one throws(JSONTypeError) in try read(one) }
        }
        return (others ?? []).compactMap(\.self)
    }

    private mutating func read(_ json: JSONValue) throws(JSONTypeError) -> MessageExtension? {
        let members = try json.asObject()
        guard let identifier = Identifier(rawValue: try members.string("id")) else {
            let other = try MessageExtension(json: json, rules: .strict)
            guard !other.failIfUnknown else { throw JSONTypeError(path: ["fail_if_unknown"], .invalidForm) }
            return other
        }
        try members.requireOnly(["id", "data", "fail_if_unknown"])
        _ = try members.optional("fail_if_unknown") { value throws(JSONTypeError) in try value.asBool() }
        let isNew =
            switch identifier {
            case .androidApplication: packages == nil
            case .appleApplication: bundles == nil
            case .androidKey: devices == nil
            }
        guard isNew else { throw JSONTypeError(path: ["id"], .invalidForm) }
        switch identifier {
        case .androidApplication: packages = try Self.names("allowed_package_names", in: members)
        case .appleApplication: bundles = try Self.names("allowed_bundle_ids", in: members)
        case .androidKey:
            devices = try members.required("data") { value throws(JSONTypeError) in
                let data = try Self.parsed(value)
                guard case .array = data else { return [try AndroidDeviceDemand(json: data)] }
                return try data.asNonEmptyArray { one throws(JSONTypeError) in try AndroidDeviceDemand(json: one) }
            }
        }
        return nil
    }

    /// The names in the data of an extension; none where it names none: each application of the server.
    private static func names(_ name: String, in members: JSONObject) throws(JSONTypeError) -> Set<String> {
        let names = try members.optional("data") { value throws(JSONTypeError) -> Set<String> in
            let data = try parsed(value).asObject()
            try data.requireOnly([name])
            guard let names = try data.optional(name, JSONValue.asTexts) else { return [] }
            // A list without a name would read as no list at all.
            guard !names.isEmpty else { throw JSONTypeError(path: [name], .outOfRange) }
            return names
        }
        return names ?? []
    }

    private static func parsed(_ value: JSONValue) throws(JSONTypeError) -> JSONValue {
        guard let data = try? JSONParser.parse(try value.asString()) else { throw JSONTypeError(.invalidForm) }
        return data
    }
}

extension PolicyFile.Fault {
    fileprivate init(_ error: StrictJSONError, in text: [UInt8]) {
        let words =
            switch error {
            case .tooLarge(_, let limit): "is larger than \(limit) bytes"
            case .tooDeep: "is nested too deeply"
            case .tooManyElements: "has too many elements"
            case .duplicateMember: "a member stands there twice"
            default: "is no JSON (RFC 8259)"
            }
        self.init(at: error.offset ?? 0, in: text, path: [], words)
    }

    fileprivate init(_ error: JSONTypeError, in text: [UInt8]) {
        let words =
            switch error.reason {
            case .missing: "must be given"
            case .wrongKind(let expected, let found): "must be of the type \(expected), not \(found)"
            case .outOfRange: "is out of range, or empty"
            case .unknownMember: "stands for nothing here"
            case .invalidForm: Self.words(forFormOf: error.path)
            }
        self.init(at: JSONParser.offset(of: error.path, in: text) ?? 0, in: text, path: error.path, words)
    }

    private static func words(forFormOf path: [String]) -> String {
        switch (path.count, path.last ?? "") {
        case (_, "aaid"): "with aaid only keyIDs, attachmentHint, authenticatorVersion and exts may stand"
        case (_, "fail_if_unknown"): "this server does not know the extension, so no authenticator could be accepted"
        case (_, "id"): "is longer than 32 characters, or stands there twice"
        case (_, "exts"): "only accepted sets can demand statements, and a policy has no other extensions"
        case (2, _): "a set of several authenticators cannot demand statements: one response makes one"
        default: "is not of the required form"
        }
    }

    private init(at offset: Int, in text: [UInt8], path: [String], _ words: String) {
        let before = text.prefix(offset)
        line = before.count { $0 == UInt8(ascii: "\n") } + 1
        column = offset - (before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) + 1
        self.path = path
        self.words = words
    }
}
