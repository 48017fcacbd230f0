import Octets
package import OpenID
package import ServerCore
import UAFService

/// Pages for people, made of templates and texts; see ``PageService``.
package struct SignInPages: PageService {
    /// Client under which the page of the devices signs users in; the provider knows it without configuration.
    package static let devicesClient = RegisteredClient.devicesName

    let settings: OpenIDSettings.Pages
    let issuer: String
    let users: any UserRepository
    let targets: any DispatchTargetRepository
    let transactions: any OpenIDTransactionRunner
    let ports: ServerPorts
    /// Nil where the pages show nothing of what is kept of a person.
    private(set) var persons: PersonService?
    /// Nil where people have no way back without a phone.
    private(set) var recoveries: RecoveryService?
    package var passkeys: (any PasskeyService)?
    private(set) var removalWait: Duration?
    private let templates: PageTemplates
    /// Texts of each language, made once: a page shows a tenth of them.
    private let escapedTexts: [PageLanguage: PageValue]

    /// Compiles the templates; throws ``PageTemplatesError``.
    ///
    /// `issuer` is the address of the provider, without a slash at its end.
    package init(
        settings: OpenIDSettings.Pages, issuer: String, users: any UserRepository,
        targets: any DispatchTargetRepository, transactions: any OpenIDTransactionRunner, ports: ServerPorts
    ) throws(PageTemplatesError) {
        templates = try PageTemplates()
        var escapedTexts: [PageLanguage: PageValue] = [:]
        for language in PageLanguage.allCases { escapedTexts[language] = Self.texts(in: language, settings).escaped }
        self.escapedTexts = escapedTexts
        self.settings = settings
        self.issuer = issuer
        self.users = users
        self.targets = targets
        self.transactions = transactions
        self.ports = ports
    }

    /// Pages of a server.
    package init(_ server: OpenIDServer, issuer: String) throws(PageTemplatesError) {
        let storage = server.services.storage
        try self.init(
            settings: server.settings.pages, issuer: issuer, users: storage.users, targets: storage.targets,
            transactions: server.transactions, ports: server.services.ports)
        persons = PersonService(server)
        recoveries = RecoveryService(server)
        removalWait = server.settings.openID?.removalWait
    }

    // MARK: - Pages without a session

    package func frontPage(hasDevices: Bool, reader: PageReader) -> PageAnswer {
        let texts = texts(for: reader)
        var values: [String: PageValue] = [
            "devices": .flag(hasDevices && settings.hasMyDevices), "recovery": .flag(hasDevices && hasRecovery),
        ]
        values.merge(languages(texts)) { $1 }
        return page(.front, titled: texts[.frontTitle], values, texts)
    }

    package func refusalPage(_ refusal: PageRefusal, reader: PageReader) -> PageAnswer {
        let texts = texts(for: reader)
        let values: [String: PageValue] = [
            "headline": .text(texts[.refusedTitle]), "message": .text(texts[refusal.text]),
        ]
        return page(.message, titled: texts[.refusedTitle], values, texts, status: refusal.status)
    }

    package func answerPage(_ form: AnswerForm, reader: PageReader) -> PageAnswer {
        let texts = texts(for: reader)
        let fields = form.fields.reveal().map { field -> [String: PageValue] in
            ["name": .text(field.name), "value": .text(field.value)]
        }
        let values: [String: PageValue] = [
            "headline": .text(texts[.backToSite]), "origin": .text(form.redirect.shownOrigin),
            "action": .text(form.redirect.text), "fields": .list(fields), "script": .flag(true),
        ]
        return page(
            .answer, titled: texts[.backToSite], values, texts, formTarget: form.redirect.origin)
    }

    package func logoutPage(_ page: AuthorizationAnswerPage, reader: PageReader) -> PageAnswer {
        let texts = texts(for: reader)
        let asks = page == .confirmLogout
        let title = texts[asks ? .logOutTitle : .loggedOutTitle]
        let token = FormToken(cookie: reader.cookies.provider, session: "logout")
        let values: [String: PageValue] = [
            "headline": .text(title), "message": .text(texts[asks ? .logOutAsk : .loggedOut]),
            "confirmLogout": .flag(asks), "formToken": .text(token?.text ?? ""),
        ]
        return self.page(.message, titled: title, values, texts)
    }

    // MARK: - Frame

    func texts(for reader: PageReader) -> PageTexts {
        texts(in: reader.language(otherwise: PageLanguage(rawValue: settings.language) ?? .english))
    }

    func texts(in language: PageLanguage) -> PageTexts { Self.texts(in: language, settings) }

    private static func texts(in language: PageLanguage, _ settings: OpenIDSettings.Pages) -> PageTexts {
        PageTexts(language: language, chosen: settings.theme.texts[language.rawValue] ?? [:])
    }

    package var theme: PageTheme { settings.theme }

    func page(
        _ template: PageTemplates.Name, titled title: String, _ values: [String: PageValue], _ texts: PageTexts,
        status: Int = 200, formTarget: String? = nil
    ) -> PageAnswer {
        let frame: [String: PageValue] = [
            "t": escapedTexts[texts.language] ?? texts.escaped, "language": .text(texts.language.rawValue),
            "title": .text(title),
            "service": .text(settings.serviceName.asName()), "issuer": PageValue(issuer),
            "stylesheet": .text("/assets/signet.css"), "logo": .flag(theme.logo != nil),
        ]
        let html = templates.render(template, frame.merging(values) { $1 })
        return PageAnswer(status: status, html: html, language: texts.language, formTarget: formTarget)
    }

    /// Choice of the languages, for pages that can be asked for again.
    func languages(_ texts: PageTexts) -> [String: PageValue] {
        let entries = PageLanguage.allCases.map { language -> [String: PageValue] in
            [
                "code": .text(language.rawValue), "name": .text(language.name),
                "current": .flag(language == texts.language),
            ]
        }
        return ["hasLanguages": .flag(true), "languages": .list(entries)]
    }
}

extension PageRefusal {
    fileprivate var text: PageText {
        switch self {
        case .unknownClient: .refusedUnknownClient
        case .redirectNotRegistered: .refusedRedirect
        case .malformedRequest: .refusedMalformed
        case .form: .refusedForm
        case .otherBrowser: .refusedOtherBrowser
        case .expired: .refusedExpired
        case .tooMany: .refusedTooMany
        case .unavailable: .refusedUnavailable
        }
    }

    fileprivate var status: Int {
        switch self {
        case .unknownClient, .redirectNotRegistered, .malformedRequest, .form: 400
        case .otherBrowser, .expired: 404
        case .tooMany, .unavailable: 503
        }
    }
}
