import BackendAPI
import ServerCore
import StrictYAML
import UAF

extension SectionReader {
    private static let applicationCount = 100
    private static let blockedCount = 100

    /// The list `applications`: what versions of the applications are wanted; each is one of `facets`.
    mutating func readApplications(among facets: [FacetID]) -> [ApplicationVersions] {
        let applications = sectionList("applications", { $0.readApplication(among: facets) }).compactMap(\.self)
        if applications.count > Self.applicationCount {
            report("applications", .notAllowed(rule: "has at most \(Self.applicationCount) applications"))
        }
        if Set(applications.map(\.facet)).count < applications.count {
            report("applications", .notAllowed(rule: "names each facet once"))
        }
        return applications
    }

    private mutating func readApplication(among facets: [FacetID]) -> ApplicationVersions? {
        let facet = value("facet") { setting throws(Setting.Mismatch) in
            guard let facet = FacetID(try setting.asText()), facets.contains(facet) else {
                throw .rule("must be one of fido-uaf.facets")
            }
            return facet
        }
        if !has("facet") { report("facet", .missing) }
        let minimum = version("minimum")
        let latest = version("latest")
        if let minimum, let latest, latest < minimum {
            report("latest", .notAllowed(rule: "is not older than minimum"))
        }
        let blocked = values("blocked") { setting throws(Setting.Mismatch) in try setting.asVersion() } ?? []
        if blocked.count > Self.blockedCount {
            report("blocked", .notAllowed(rule: "has at most \(Self.blockedCount) versions"))
        }
        let address = value("store-url") { setting throws(Setting.Mismatch) in try setting.asStoreAddress() }
        let messages = namedValues("message") { setting throws(Setting.Mismatch) in
            guard let text = ShownText.line(try setting.asText(), 1...500) else {
                throw .rule("has 1 to 500 visible characters in one line")
            }
            return text
        }
        for message in messages where message.name.wholeMatch(of: /[a-z]{2,3}/) == nil {
            report("message", .notAllowed(rule: "has a language such as en for each text"))
        }
        guard let facet else { return nil }
        var application = ApplicationVersions(facet: facet)
        (application.minimum, application.latest, application.blocked) = (minimum, latest, Set(blocked))
        application.storeAddress = address
        application.messages = Dictionary(messages.map { ($0.name, $0.value) }) { $1 }
        return application
    }

    private mutating func version(_ key: String) -> ApplicationVersion? {
        value(key) { setting throws(Setting.Mismatch) in try setting.asVersion() }
    }
}

extension Setting {
    /// The address of a page in a store, which may have a query.
    fileprivate func asStoreAddress() throws(Mismatch) -> String {
        let address = try asText()
        let isPlain = address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}@#".utf8.contains($0) }
        guard address.hasPrefix("https://"), isPlain, (9...512).contains(address.utf8.count) else {
            throw .rule("must be an https URL of at most 512 characters, without user and fragment")
        }
        return address
    }

    fileprivate func asVersion() throws(Mismatch) -> ApplicationVersion {
        guard let version = ApplicationVersion(try asText()) else {
            throw .rule("must be one to four numbers with dots, in quotation marks, such as \"5.2.0\"")
        }
        return version
    }
}
