import Octets
import OpenID
import ServerCore
import StrictYAML
import UAF

extension SectionReader {
    mutating func readManagement(into http: inout HTTPSettings) {
        http.management = section("server") { $0.readManagementListener(default: http.management) }
    }

    /// The section `management.server`.
    ///
    /// Outside of this machine it is refused without TLS and a token: its figures tell strangers who signs in when, and how
    /// much the server bears.
    private mutating func readManagementListener(default standard: ManagementSettings) -> ManagementSettings {
        var settings = standard
        settings.token = readToken()
        let tls = readOperatorTLS()
        settings.security = tls.security
        let socket = readSocket(isProtected: tls.security != .plain)
        let address = standard.address.map { readAddress(default: $0) }
        if let socket {
            settings.place = socket
        } else if let address {
            settings.place = .address(address)
            if !address.isLoopback { requireProtection(settings, namesCertificate: tls.isNamed) }
        }
        return settings
    }

    /// TLS of a listener for operators, and whether files are named, which cannot be used perhaps.
    private mutating func readOperatorTLS() -> (security: TransportSecurity, isNamed: Bool) {
        section("tls") { section in
            (section.readCertificate() ?? .plain, section.has("certificate-file") || section.has("private-key-file"))
        }
    }

    /// The section `administration`; `keys` are all access keys, and `openID` is the provider at which people sign in.
    mutating func readAdministration(keys: [AccessKey], openID: OpenIDSettings.Provider?) -> AdministrationSettings {
        var settings = AdministrationSettings()
        settings.address = readAddress(default: settings.address)
        let tls = readOperatorTLS()
        settings.security = tls.security
        if !settings.address.isLoopback && tls.security == .plain && !tls.isNamed {
            report(
                "tls",
                .notAllowed(
                    rule: "administration on another address than loopback needs TLS: give certificate-file and "
                        + "private-key-file"))
        }
        settings.people = readPeople()
        let isProtected = tls.security != .plain || tls.isNamed
        if !settings.people.isEmpty, !isProtected || openID?.browserSessionLifetime ?? .zero == .zero {
            report(
                "people",
                .notAllowed(
                    rule:
                        "people sign in to the console with Signet: give administration.tls, openid.enabled: true and an "
                        + "openid.browser-session-lifetime"))
        }
        if !keys.contains(where: { !$0.rights.roles.isEmpty }) && !has("people") {
            report(
                "port",
                .notAllowed(
                    rule:
                        "nothing may administer: name people, or give a key of out-of-band.access-keys one of the scopes "
                        + AccessKeyScope.allCases.filter { $0.role != nil }.map(\.rawValue).joined(separator: ", ")))
        }
        return settings
    }

    private mutating func readPeople() -> [UserName: AdministrationRole] {
        var people: [UserName: AdministrationRole] = [:]
        let named = namedValues("people") { setting throws(Setting.Mismatch) in
            try setting.asChoice(AdministrationRole.self)
        }
        for (text, role) in named {
            if let name = UserName(text) {
                people[name] = role
            } else {
                report("people", .notAllowed(rule: "a name of a user has 1 to 128 characters"))
            }
        }
        return people
    }

    /// A token is needed, and TLS, without which the token would pass in the clear; what is given and cannot be used was told.
    private mutating func requireProtection(_ settings: ManagementSettings, namesCertificate: Bool) {
        if settings.security == .plain && !namesCertificate {
            report("tls", .notAllowed(rule: "\(Self.elsewhere) certificate-file and private-key-file"))
        }
        if settings.token == nil && !has("token-file") {
            report(
                "token-file",
                .notAllowed(rule: "\(Self.elsewhere) a file with 32 to 512 random characters, mode 0600")
            )
        }
    }

    private static let elsewhere =
        "health and metrics on another address than loopback need TLS and a token (a Unix socket needs neither): give"

    private mutating func readSocket(isProtected: Bool) -> ManagementSettings.Place? {
        let access = choice("socket-access", default: ManagementSettings.SocketAccess.owner)
        guard let path = path("socket") else {
            if has("socket-access") && !has("socket") {
                report("socket-access", .notAllowed(rule: "is for a Unix socket: give socket as well"))
            }
            return nil
        }
        if !Self.socketPathByteCounts.contains(path.utf8.count) || path.utf8.contains(0) {
            report(
                "socket",
                .notAllowed(rule: "a path of a socket has at most \(Self.socketPathByteCounts.upperBound) bytes"))
        }
        for other in ["host", "port", "tls"] where has(other) || (other.hasSameOctets(as: "tls") && isProtected) {
            report(other, .notAllowed(rule: "a Unix socket has no host, no port and no TLS: leave this out, or socket"))
        }
        return .socket(path: path, access: access)
    }

    /// The system takes 107 bytes; some are for the folder in which the socket is made.
    private static let socketPathByteCounts = 2...90

    private mutating func readToken() -> ManagementSettings.Token? {
        guard let file = secretFilePath("token-file"), let content = session.source.files.contents(of: file) else {
            return nil
        }
        guard let text = Self.secretText(content), let token = ManagementSettings.Token(file: file, text: text) else {
            report("token-file", .notAllowed(rule: "must hold a token of 32 to 512 characters"))
            return nil
        }
        return token
    }
}
