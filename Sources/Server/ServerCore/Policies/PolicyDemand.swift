package import StrictJSON
package import UAF

/// Statement that a policy demands of a phone beside what UAF judges.
package struct PolicyDemand: Sendable, Hashable {
    /// Packages of Android that may answer; empty: each that the server takes; nil: none.
    package var packages: Set<String>?
    /// Bundles of Apple's platforms that may answer; empty: each that the server takes; nil: none.
    package var bundles: Set<String>?
    /// Demand on an Android device, beside the one of the server.
    package var device: AndroidDeviceDemand?

    package init(
        packages: Set<String>? = nil, bundles: Set<String>? = nil, device: AndroidDeviceDemand? = nil
    ) {
        self.packages = packages
        self.bundles = bundles
        self.device = device
    }
}

/// Demands of a policy: for each accepted set in order, the alternatives of which one has to hold.
///
/// They stay on the server. Their identifiers in policies of the closed product are longer than the 32 characters that a
/// UAF message allows (FIDO UAF Protocol 1.1, 3.1.8).
package struct PolicyDemands: Sendable, Hashable {
    /// For each set; without alternatives nothing is demanded of it.
    package let alternatives: [[PolicyDemand]]

    /// Takes the alternatives for each set.
    package init(_ alternatives: [[PolicyDemand]] = []) {
        self.alternatives = alternatives.allSatisfy(\.isEmpty) ? [] : alternatives
    }

    package var isEmpty: Bool { alternatives.isEmpty }

    /// The alternatives for a phone that answers with one key; none where the policy takes the key without a demand, and
    /// nil where `fits` says that no set is about it.
    ///
    /// A set of several criteria demands nothing.
    package func demanded(by policy: Policy, where fits: (MatchCriteria) -> Bool) -> [PolicyDemand]? {
        guard !isEmpty else { return [] }
        var found: [PolicyDemand]?
        for (set, alternatives) in zip(policy.accepted, alternatives) where set.count == 1 && fits(set[0]) {
            guard !alternatives.isEmpty else { return [] }
            found = (found ?? []) + alternatives
        }
        return found
    }
}

extension PolicyDemands {
    /// The policy with its demands, as a revision keeps it.
    package func json(with policy: Policy) -> JSONValue {
        guard !isEmpty, case .object(var members) = policy.json else { return policy.json }
        members.append("demands", .array(alternatives.map { .array($0.map(\.json)) }))
        return .object(members)
    }

    /// Reads the demands in the text of a revision.
    package init(json: JSONValue) throws(JSONTypeError) {
        let alternatives = try json.asObject().optional("demands") { value throws(JSONTypeError) in
            try value.asArray { set throws(JSONTypeError) in
                try set.asArray { demand throws(JSONTypeError) in try PolicyDemand(json: demand) }
            }
        }
        self.init(alternatives ?? [])
    }
}

extension PolicyDemand {
    fileprivate init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        packages = try members.optional("packages", JSONValue.asTexts)
        bundles = try members.optional("bundles", JSONValue.asTexts)
        device = try members.optional("device") { value throws(JSONTypeError) in try AndroidDeviceDemand(json: value) }
    }

    fileprivate var json: JSONValue {
        .object([
            "packages": packages.map { .array($0.sorted().map { .string($0) }) },
            "bundles": bundles.map { .array($0.sorted().map { .string($0) }) }, "device": device?.json,
        ])
    }
}

extension JSONValue {
    /// A list of texts without repetition, none of them empty.
    static func asTexts(_ json: JSONValue) throws(JSONTypeError) -> Set<String> {
        Set(
            try json.asArray { value throws(JSONTypeError) in
                let text = try value.asString()
                guard !text.isEmpty else { throw JSONTypeError(.outOfRange) }
                return text
            })
    }
}
