import StrictYAML

extension SectionReader {
    /// The setting `profile`: one name or a list of names.
    ///
    /// A standard goes with the production profile, which it need not name.
    mutating func readProfiles() -> (Deployment.Profile, Set<Deployment.AssuranceProfile>) {
        let names = oneOrMore("profile") { setting throws(Setting.Mismatch) in try setting.asProfileName() } ?? []
        let profiles = names.compactMap(Deployment.Profile.init)
        let standards = names.compactMap(Deployment.AssuranceProfile.init)
        if Set(names).count != names.count || profiles.count > 1 {
            report("profile", .notAllowed(rule: "names one of development and production, and each standard once"))
        }
        if let standard = standards.first, profiles.contains(.development) {
            report("profile", .notAllowed(rule: "\(standard.rawValue) goes with production: take development away"))
        }
        return (profiles.first ?? (standards.isEmpty ? .development : .production), Set(standards))
    }
}

extension Setting {
    fileprivate func asProfileName() throws(Mismatch) -> String {
        let names = Deployment.Profile.allCases.map(\.rawValue) + Deployment.AssuranceProfile.allCases.map(\.rawValue)
        let name = try asText()
        guard names.contains(name) else { throw .rule("must be one of " + names.joined(separator: ", ")) }
        return name
    }
}
