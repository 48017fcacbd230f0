import Octets
package import StrictJSON

/// Particulars of a user that web sites may be told (OpenID Connect Core 1.0, 5.1).
///
/// They are data of the operator, set by command, import and relying-party API, and never by the person. They stand
/// neither in receipts nor in the audit.
package struct UserAttributes: Sendable, Hashable {
    /// Octets of all attributes of a user together, as JSON.
    package static let byteLimit = 4_096
    package static let groupLimit = 100

    /// Name of an attribute, which its claim has, too.
    ///
    /// In this order they are set: the mark of an e-mail address behind the address.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case name
        case givenName = "given_name"
        case familyName = "family_name"
        case email
        case emailVerified = "email_verified"
        case locale
        case groups
    }

    package private(set) var name: String?
    package private(set) var givenName: String?
    package private(set) var familyName: String?
    package private(set) var email: String?
    /// Whether an administrator has made sure that the address belongs to the user; a new address starts unverified.
    package private(set) var isEmailVerified = false
    /// Language tag (BCP 47), such as `de-CH`.
    package private(set) var locale: String?
    /// Names of groups, each once.
    package private(set) var groups: [String] = []

    package init() {}

    /// The attributes as JSON, by their names; those that are not set are left out.
    package var members: JSONObject {
        [
            Name.name.rawValue: name.map { .string($0) },
            Name.givenName.rawValue: givenName.map { .string($0) },
            Name.familyName.rawValue: familyName.map { .string($0) },
            Name.email.rawValue: email.map { .string($0) },
            Name.emailVerified.rawValue: email == nil ? nil : .bool(isEmailVerified),
            Name.locale.rawValue: locale.map { .string($0) },
            Name.groups.rawValue: groups.isEmpty ? nil : .array(groups.map { .string($0) }),
        ]
    }
}

// MARK: - Changes

extension UserAttributes {
    /// Sets attributes to what was given for them, and removes those for which JSON's `null` was given.
    ///
    /// Throws ``UserAttributeFault`` for the first value that breaks a rule; nothing is changed then.
    package mutating func apply(_ changes: [Name: JSONValue]) throws(UserAttributeFault) {
        var changed = self
        for name in Name.allCases {
            if let value = changes[name] { try changed.set(name, to: value) }
        }
        guard JSONWriter.write(.object(changed.members)).count <= Self.byteLimit else {
            throw UserAttributeFault(nil, "all attributes together have at most \(Self.byteLimit) octets")
        }
        self = changed
    }

    package func names(differingFrom other: UserAttributes) -> [Name] {
        let (mine, others) = (members, other.members)
        return Name.allCases.filter { mine[$0.rawValue] != others[$0.rawValue] }
    }

    private mutating func set(_ name: Name, to value: JSONValue) throws(UserAttributeFault) {
        switch name {
        case .name: self.name = try Self.text(value, name, isAllowed: AttributeText.isName)
        case .givenName: givenName = try Self.text(value, name, isAllowed: AttributeText.isName)
        case .familyName: familyName = try Self.text(value, name, isAllowed: AttributeText.isName)
        case .locale: locale = try Self.text(value, name, isAllowed: AttributeText.isLanguageTag)
        case .email:
            let address = try Self.text(value, name, isAllowed: AttributeText.isAddress)
            if address?.hasSameOctets(as: email ?? "") != true { isEmailVerified = false }
            email = address
        case .emailVerified: isEmailVerified = try verified(value)
        case .groups: groups = try Self.groups(value)
        }
    }

    private func verified(_ value: JSONValue) throws(UserAttributeFault) -> Bool {
        switch value {
        case .null: return false
        case .bool(let isVerified):
            guard !isVerified || email != nil else {
                throw UserAttributeFault(.emailVerified, "cannot be true without an e-mail address")
            }
            return isVerified
        default: throw UserAttributeFault(.emailVerified, "has to be true or false")
        }
    }

    private static func text(
        _ value: JSONValue, _ name: Name, isAllowed: (String) -> Bool
    ) throws(UserAttributeFault) -> String? {
        switch value {
        case .null: return nil
        case .string(let text):
            let composed = ShownText.composed(text)
            guard isAllowed(composed) else { throw UserAttributeFault(name, name.rule) }
            return composed
        default: throw UserAttributeFault(name, name.rule)
        }
    }

    private static func groups(_ value: JSONValue) throws(UserAttributeFault) -> [String] {
        guard value != .null else { return [] }
        guard case .array(let values) = value else { throw UserAttributeFault(.groups, Name.groups.rule) }
        var groups: [String] = []
        for value in values {
            guard let group = try text(value, .groups, isAllowed: AttributeText.isName) else {
                throw UserAttributeFault(.groups, Name.groups.rule)
            }
            if !groups.contains(where: { $0.hasSameOctets(as: group) }) { groups.append(group) }
        }
        guard groups.count <= groupLimit else { throw UserAttributeFault(.groups, Name.groups.rule) }
        return groups
    }
}

extension UserAttributes.Name {
    fileprivate var rule: String {
        switch self {
        case .name, .givenName, .familyName: "must have 1 to 128 characters, without control and format characters"
        case .email: "has to be an address with one @, at most 254 octets, without spaces"
        case .emailVerified: "has to be true or false"
        case .locale: "has to be a language tag, such as de-CH"
        case .groups: "has to be at most \(UserAttributes.groupLimit) names of 1 to 128 characters each"
        }
    }
}

extension UserAttributes {
    /// Values by the names of their attributes; nil for a member that is none.
    package static func changes(in members: JSONObject) -> [Name: JSONValue]? {
        var changes: [Name: JSONValue] = [:]
        for member in members.members {
            guard let name = Name(rawValue: member.name) else { return nil }
            changes[name] = member.value
        }
        return changes
    }
}
