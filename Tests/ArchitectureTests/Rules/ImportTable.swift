/// Which module may import what: the layering, written down once.
///
/// A target that is not in the table may not exist; docs/contribute/architecture.md explains the rows.
struct ImportTable {
    /// What one target may import.
    struct Row {
        var layer: Layer
        /// Other targets of the package.
        var targets: Set<String>
        /// Library products of other packages.
        var libraries: Set<String>
        /// Modules of the system and the toolchain.
        var system: Set<String>
        /// Modules that only the named files may import.
        var exceptions: [String: Set<String>] = [:]

        var all: Set<String> { targets.union(libraries).union(system) }
    }

    var rows: [String: Row]

    /// What breaks the table in one file under `Sources`.
    func violations(in file: SourceFile) -> [Violation] {
        guard let row = rows[file.target] else {
            return [Violation(file.path, 1, "target \(file.target) is not in the import table")]
        }
        let allowed = row.all.union(row.exceptions[file.name + ".swift"] ?? [])
        return file.imports.filter { !allowed.contains($0.module) }.map {
            Violation(file.path, $0.line, "\(file.target) may not import \($0.module)")
        }
    }

    /// What is wrong with the table itself: arrows up or across.
    var arrowsAgainstTheRule: [String] {
        rows.flatMap { name, row in
            row.targets.filter { other in
                guard let layer = rows[other]?.layer else { return !other.hasPrefix("C") }
                return !row.layer.below.contains(layer)
            }.map { "\(name) -> \($0)" }
        }
    }
}

extension ImportTable {
    private static let libc: Set<String> = ["Glibc", "Musl", "Darwin", "Android"]
    private static let essentials: Set<String> = ["FoundationEssentials"]
    private static let foundation: Set<String> = ["Foundation", "FoundationEssentials", "FoundationNetworking"]
    private static let mutex: Set<String> = ["Synchronization"]

    /// The table of this package.
    static let repository = ImportTable(
        rows: [deviceLayer, serverLayer, commandsLayer].reduce(protocolLayer) { $0.merging($1) { $1 } })

    private static let protocolLayer: [String: Row] = [
        "Locking": Row(layer: .protocol, targets: [], libraries: [], system: mutex.union(libc).union(["os"])),
        "Octets": Row(layer: .protocol, targets: ["Locking"], libraries: [], system: libc),
        "StrictJSON": Row(layer: .protocol, targets: ["Octets"], libraries: [], system: []),
        "StrictCBOR": Row(layer: .protocol, targets: ["Octets"], libraries: [], system: []),
        "UAF": Row(
            layer: .protocol, targets: ["Octets", "StrictJSON"], libraries: ["Crypto"], system: essentials),
        "JOSE": Row(
            layer: .protocol, targets: ["Octets", "StrictJSON"], libraries: ["Crypto", "CryptoExtras"],
            system: essentials),
        "BackendAPI": Row(
            layer: .protocol, targets: ["Octets", "StrictJSON", "UAF", "JOSE"], libraries: ["HTTPTypes"],
            system: essentials),
        "Receipts": Row(
            layer: .protocol, targets: ["Octets", "StrictJSON", "UAF", "JOSE"], libraries: ["Crypto", "CryptoExtras"],
            system: essentials),
    ]

    private static let deviceLayer: [String: Row] = [
        "HardwareKeys": Row(
            layer: .device, targets: ["Locking", "Octets"], libraries: ["Crypto", "CryptoExtras"],
            system: libc.union(essentials), exceptions: ["NetworkFileSystem.swift": ["Foundation"]]),
        "HardwareKeysApple": Row(
            layer: .device, targets: ["Octets", "HardwareKeys", "SecureStorage"], libraries: [],
            system: ["CryptoKit", "DeviceCheck", "LocalAuthentication", "Security", "Foundation"]),
        "SecureStorage": Row(
            layer: .device, targets: ["Locking", "Octets", "HardwareKeys"], libraries: ["Crypto", "CryptoExtras"],
            system: libc.union(essentials), exceptions: ["SealedValue.swift": ["Foundation"]]),
        "HardwareKeysTPM": Row(
            layer: .device, targets: ["Octets", "HardwareKeys", "SecureStorage", "CTSS2"], libraries: ["Crypto"],
            system: libc),
        "UserVerificationLinux": Row(
            layer: .device, targets: ["Locking", "Octets", "HardwareKeys", "CPAM", "CDBus"],
            libraries: ["Crypto"], system: libc),
        "TamperGuards": Row(
            layer: .device, targets: ["Locking", "Octets"], libraries: ["Crypto"], system: libc),
        "Argon2KeyDerivation": Row(
            layer: .device, targets: ["Octets", "HardwareKeys", "SecureStorage", "CArgon2"], libraries: [], system: []),
        "Authenticators": Row(
            layer: .device, targets: ["Octets", "UAF", "HardwareKeys", "SecureStorage", "StrictJSON"],
            libraries: ["Crypto", "CryptoExtras"], system: essentials,
            exceptions: [
                "UserSecret.swift": ["Foundation"], "SystemCoolDownClock.swift": libc,
                "CredentialStoreError+Storage.swift": libc,
            ]),
        "BackendTransport": Row(
            layer: .device, targets: ["BackendAPI", "Locking", "Octets", "StrictJSON", "HardwareKeys"],
            libraries: ["Crypto", "CryptoExtras", "HTTPTypes"],
            system: foundation, exceptions: ["URLSessionTrust.swift": ["Security"]]),
        "BackendTransportLinux": Row(
            layer: .device, targets: ["BackendTransport", "Locking"],
            libraries: ["Crypto", "AsyncHTTPClient", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOSSL"], system: foundation),
        // The machines: no Foundation, no transport, no user interface, and no system at all.
        "UAFClient": Row(
            layer: .device, targets: ["Octets", "UAF", "BackendAPI", "Authenticators"], libraries: [], system: []),
        "MobileAuthentication": Row(
            layer: .device,
            targets: [
                "Locking", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI", "BackendTransport", "HardwareKeys",
                "Authenticators", "UAFClient", "TamperGuards",
            ],
            libraries: ["Crypto"], system: foundation,
            // The places that know on which platform they are; everything else asks ports.
            exceptions: [
                "PlatformHardware.swift": ["HardwareKeysApple", "HardwareKeysTPM"],
                "PlatformTransport.swift": ["BackendTransportLinux"],
                "Exports.swift": ["HardwareKeysApple", "HardwareKeysTPM", "UserVerificationLinux"],
            ]),
        "NevisMobileAuthentication": Row(
            layer: .device, targets: ["MobileAuthentication"], libraries: [], system: []),
        "MobileAuthenticationTestKit": Row(
            layer: .device,
            targets: [
                "Locking", "Octets", "MobileAuthentication", "BackendTransport", "BackendAPI", "JOSE", "HardwareKeys",
                "Authenticators", "UAF",
            ],
            libraries: ["Crypto"], system: foundation),
        "PhonePage": Row(
            layer: .device,
            targets: [
                "Locking", "Octets", "StrictJSON", "MobileAuthentication", "MobileAuthenticationTestKit",
                "HardwareKeys", "HardwareKeysTPM", "BackendTransport", "BackendTransportLinux", "CPNG", "CZBar",
            ],
            // The page is served by the same library as the server, so that there is one HTTP server fewer to keep.
            libraries: ["NIOCore", "NIOPosix", "HTTPTypes", "HummingbirdCore", "Logging", "Crypto"], system: foundation),
    ]

    private static let serverLayer: [String: Row] = [
        "RelyingParty": Row(
            layer: .server, targets: ["DeviceAttestation", "Octets", "UAF", "CSecp256k1"],
            libraries: ["Crypto", "CryptoExtras", "X509", "SwiftASN1"], system: essentials),
        "DeviceAttestation": Row(
            layer: .server, targets: ["Octets", "StrictCBOR"],
            libraries: ["Crypto", "CryptoExtras", "X509", "SwiftASN1"], system: essentials),
        "WebAuthn": Row(
            layer: .server, targets: ["DeviceAttestation", "Octets", "StrictJSON", "StrictCBOR"],
            libraries: ["Crypto", "CryptoExtras", "X509", "SwiftASN1"], system: essentials),
        "QRCode": Row(layer: .server, targets: ["CQREncode", "CPNG"], libraries: [], system: []),
        "LoadControl": Row(layer: .server, targets: [], libraries: [], system: mutex),
        // It knows no route and no service: what it needs of settings it is handed.
        "HTTPEngine": Row(
            layer: .server, targets: ["LoadControl", "Octets"],
            libraries: [
                "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOSSL", "Logging",
                // Of NIOSSL, which does not hand out the keys of session tickets.
                "CNIOBoringSSL",
                "ServiceLifecycle", "Crypto", "X509", "SwiftASN1",
            ],
            system: mutex.union(essentials)),
        "ServerCore": Row(
            layer: .server,
            targets: [
                "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI", "RelyingParty", "DeviceAttestation", "LoadControl",
            ],
            libraries: ["Crypto", "CryptoExtras", "Logging", "Metrics"], system: mutex.union(essentials),
            exceptions: ["System.swift": libc, "ShownText.swift": ["Foundation"], "NameSkeleton.swift": ["Foundation"]]),
        "UAFService": Row(
            layer: .server,
            targets: [
                "ServerCore", "Octets", "StrictJSON", "UAF", "JOSE", "BackendAPI", "RelyingParty", "DeviceAttestation",
                "QRCode", "LoadControl", "Receipts",
            ],
            libraries: ["Crypto", "Logging"], system: mutex.union(essentials),
            exceptions: ["HashingWorker.swift": ["Locking"]]),
        "OpenID": Row(
            layer: .server,
            targets: [
                "UAFService", "ServerCore", "WebAuthn", "BackendAPI", "JOSE", "StrictJSON", "Octets", "UAF", "QRCode",
            ],
            libraries: ["Crypto", "CryptoExtras", "Logging", "Metrics"], system: mutex.union(essentials)),
        "OutgoingRequests": Row(
            layer: .server, targets: ["OpenID", "ServerCore", "StrictJSON", "Octets", "UAF"],
            libraries: ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOSSL", "Logging", "Metrics", "Crypto"],
            system: mutex.union(libc)),
        "ServerAdministration": Row(
            layer: .server,
            targets: ["OpenID", "UAFService", "ServerCore", "BackendAPI", "StrictJSON", "Octets", "UAF"],
            libraries: [], system: []),
        "SignInPages": Row(
            layer: .server,
            targets: [
                "ServerAdministration", "OpenID", "UAFService", "ServerCore", "BackendAPI", "StrictJSON", "Octets",
                "UAF",
            ],
            libraries: ["Mustache", "Logging", "Crypto"], system: mutex.union(essentials)),
        "StrictYAML": Row(layer: .server, targets: [], libraries: ["Yams"], system: []),
        "ServerConfiguration": Row(
            layer: .server,
            targets: [
                "LoadControl", "ServerCore", "UAFService", "OpenID", "WebAuthn", "DeviceAttestation", "BackendAPI",
                "StrictYAML",
                "Octets", "UAF",
            ],
            libraries: [], system: foundation),
        "ServerPersistence": Row(
            layer: .server,
            targets: [
                "LoadControl", "ServerCore", "UAFService", "OpenID", "WebAuthn", "DeviceAttestation", "BackendAPI",
                "Octets", "UAF",
            ],
            libraries: [],
            system: mutex.union(essentials)),
        "ServerPersistenceSQLite": Row(
            layer: .server, targets: ["ServerPersistence"], libraries: ["GRDB", "GRDBSQLite"],
            system: mutex.union(foundation)),
        "ServerPersistencePostgreSQL": Row(
            layer: .server,
            targets: ["LoadControl", "ServerPersistence", "ServerCore", "Locking", "Octets", "CPostgreSQL"],
            libraries: [],
            system: mutex.union(libc)),
        "ServerProcesses": Row(
            layer: .server, targets: ["Locking", "ServerCore"], libraries: ["Metrics"], system: mutex.union(libc)),
        "ServerHTTP": Row(
            layer: .server,
            targets: [
                "HTTPEngine", "LoadControl", "ServerCore", "UAFService", "OpenID", "SignInPages",
                "ServerAdministration", "BackendAPI", "Octets", "StrictJSON", "UAF",
            ],
            libraries: ["Hummingbird", "HummingbirdCore", "HTTPTypes", "NIOCore", "Logging", "Metrics"],
            system: mutex.union(foundation)),
        "ServerPush": Row(
            layer: .server, targets: ["ServerCore", "BackendAPI", "JOSE", "StrictJSON", "Octets"],
            libraries: [
                "AsyncHTTPClient", "NIOCore", "NIOHTTP1", "NIOSSL", "Logging", "Crypto", "CryptoExtras",
            ], system: []),
        "PushSink": Row(
            layer: .server, targets: ["ServerCore", "HTTPEngine", "ServerHTTP", "JOSE", "StrictJSON", "Octets"],
            libraries: ["Hummingbird", "HTTPTypes", "NIOCore", "Logging", "Crypto", "CryptoExtras"], system: mutex),
    ]

    private static let commandsLayer: [String: Row] = [
        "CommandSupport": Row(
            layer: .commands, targets: ["QRCode", "StrictYAML", "StrictJSON", "Locking", "Octets"],
            libraries: ["ArgumentParser", "CryptoExtras", "X509", "SwiftASN1"], system: foundation.union(libc)),
        "DeviceCommands": Row(
            layer: .commands,
            targets: Set(protocolLayer.keys).union(deviceLayer.keys).union(["CommandSupport", "StrictYAML"]),
            libraries: ["ArgumentParser", "UnixSignals"], system: mutex.union(foundation).union(libc)),
        "DemoCommands": Row(
            layer: .commands,
            targets: [
                "CommandSupport", "DeviceCommands", "BackendTransport", "BackendTransportLinux", "BackendAPI",
                "StrictJSON", "UAF", "Octets", "Locking",
            ],
            libraries: ["ArgumentParser", "UnixSignals"], system: mutex.union(foundation).union(libc)),
        "ServerCommandSupport": Row(
            layer: .commands,
            targets: [
                "CommandSupport", "StrictYAML", "ServerConfiguration", "ServerCore", "HTTPEngine", "ServerHTTP",
            ],
            libraries: ["Logging", "Metrics", "ServiceLifecycle", "UnixSignals"],
            system: mutex.union(foundation).union(libc)),
        "ServerCommands": Row(
            layer: .commands,
            targets: Set(protocolLayer.keys).union(serverLayer.keys).subtracting(["PushSink"])
                .union(["CommandSupport", "ServerCommandSupport"]),
            libraries: [
                "ArgumentParser", "AsyncHTTPClient", "Logging", "Metrics", "ServiceLifecycle", "UnixSignals",
                "Hummingbird", "NIOCore", "NIOHTTP1", "NIOSSL",
            ],
            system: mutex.union(foundation).union(libc)),
        "PushSinkCommands": Row(
            layer: .commands,
            targets: [
                "CommandSupport", "ServerCommandSupport", "PushSink", "ServerConfiguration", "ServerCore", "ServerHTTP",
                "StrictJSON",
            ],
            libraries: ["ArgumentParser", "Logging", "ServiceLifecycle", "UnixSignals", "Hummingbird"],
            system: essentials),
        "signet": Row(layer: .commands, targets: ["DemoCommands"], libraries: [], system: []),
        "signet-server": Row(layer: .commands, targets: ["ServerCommands"], libraries: [], system: []),
        "signet-push-sink": Row(layer: .commands, targets: ["PushSinkCommands"], libraries: [], system: []),
    ]
}
