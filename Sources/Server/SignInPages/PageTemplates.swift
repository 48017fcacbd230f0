import Mustache

/// Templates of the pages, compiled once at the start.
struct PageTemplates: Sendable {
    /// Content of a page; the frame around it is `page`.
    enum Name: String, Sendable, CaseIterable {
        case signIn = "sign-in"
        case username
        case devices
        case person
        case message
        case answer
        case front
        case consolePeople, consolePerson, consoleInvitation, consoleFindings, consoleAudit, consoleMessage
        case recover
        case codes

        fileprivate var source: [UInt8] {
            switch self {
            case .signIn: PackageResources.sign_in_mustache
            case .username: PackageResources.username_mustache
            case .devices: PackageResources.devices_mustache
            case .person: PackageResources.person_mustache
            case .message: PackageResources.message_mustache
            case .answer: PackageResources.answer_mustache
            case .front: PackageResources.front_mustache
            case .consolePeople: PackageResources.console_people_mustache
            case .consolePerson: PackageResources.console_person_mustache
            case .consoleInvitation: PackageResources.console_invitation_mustache
            case .consoleFindings: PackageResources.console_findings_mustache
            case .consoleAudit: PackageResources.console_audit_mustache
            case .consoleMessage: PackageResources.console_message_mustache
            case .recover: PackageResources.recover_mustache
            case .codes: PackageResources.codes_mustache
            }
        }
    }

    private static let frame = "page"
    /// Texts come escaped, see ``PageValue``.
    private static let pragma = "{{% CONTENT_TYPE:TEXT}}"

    private let library: MustacheLibrary

    /// Compiles the templates; throws ``PageTemplatesError`` for one that is broken.
    init() throws(PageTemplatesError) {
        var library = MustacheLibrary()
        try Self.add(PackageResources.page_mustache, named: Self.frame, to: &library)
        for name in Name.allCases { try Self.add(name.source, named: name.rawValue, to: &library) }
        self.library = library
    }

    private static func add(
        _ source: [UInt8], named name: String, to library: inout MustacheLibrary
    ) throws(PageTemplatesError) {
        do {
            try library.register(pragma + String(decoding: source, as: UTF8.self), named: name)
        } catch {
            throw PageTemplatesError(template: name, cause: error)
        }
    }

    /// The page as UTF-8.
    func render(_ name: Name, _ values: [String: PageValue]) -> [UInt8] {
        let page = library.render(values.mapValues(\.escaped), withTemplate: name.rawValue) ?? ""
        return Array(page.utf8)
    }
}

/// Template of a page that cannot be compiled; the server does not start with it.
package struct PageTemplatesError: Error {
    package let template: String
    package let cause: any Error
}
