import Foundation
import Locking
import TestSupport
import Testing

@Suite("script/export-sdk writes a package that names only what an app needs")
struct ExportTests {
    private static let packages: [String: Result<ExportedPackage, any Error>] = [
        "apple": Result { try ExportedPackage(for: "apple") }, "linux": Result { try ExportedPackage(for: "linux") },
    ]

    private func package(_ platform: String) throws -> ExportedPackage {
        try #require(Self.packages[platform]).get()
    }

    @Test(
        "The manifest names these packages and no other",
        arguments: [
            ("apple", ["swift-crypto", "swift-http-types"]),
            ("linux", ["async-http-client", "swift-crypto", "swift-http-types", "swift-nio", "swift-nio-ssl"]),
        ])
    func packages(platform: String, expected: [String]) throws {
        let named = try package(platform).manifest.matches(
            of: /\.package\(url: "[^"]*\/([\w-]+)\.git", from: "[0-9.]+"\)/)
        #expect(named.map { String($0.1) }.sorted() == expected)
    }

    @Test("No target and no import is of the server or of the commands", arguments: ["apple", "linux"])
    func layers(platform: String) throws {
        let package = try package(platform)
        let foreign = Set(ImportTable.repository.rows.filter { [.server, .commands].contains($0.value.layer) }.keys)
        #expect(package.targets.isDisjoint(with: foreign))
        #expect(
            package.targets.isSuperset(of: ["MobileAuthentication", "SecureStorage", "MobileAuthenticationTestKit"]))
        for (path, text) in package.texts where path.hasSuffix(".swift") && path != "Package.swift" {
            let imports = Set(Self.imports(of: path, text).map(\.module))
            #expect(imports.isDisjoint(with: foreign), "\(path)")
        }
    }

    /// The imports of a file of the package, which is the project's own file, or one of the package's.
    private static func imports(of path: String, _ text: String) -> [ImportStatement] {
        let own = Repository.files(at: path).first { $0.text == text }
        return (own ?? SourceFile(path: path, text: text)).imports
    }

    @Test("The form for Apple platforms has neither SwiftNIO nor what is Linux's")
    func apple() throws {
        let package = try package("apple")
        let linux = ["BackendTransportLinux", "HardwareKeysTPM", "UserVerificationLinux", "CTSS2"]
        #expect(package.targets.isDisjoint(with: linux))
        #expect(package.targets.contains("HardwareKeysApple"))
        #expect(try !self.package("linux").targets.contains("HardwareKeysApple"))
        for (path, text) in package.texts where path.hasSuffix(".swift") {
            #expect(!text.contains(/import (?:NIO\w*|AsyncHTTPClient)\b/), "\(path)")
            // Only beside Darwin in a condition, or in a file that is for Linux as a whole.
            let isForLinux = text.hasPrefix("#if os(Linux)\n")
            #expect(!text.contains("import Glibc") || isForLinux || text.contains("canImport(Darwin)"), "\(path)")
        }
    }

    @Test("Every library product of the project is one of the SDK on some platform, and no product is new")
    func products() throws {
        let exported = try package("apple").products.union(package("linux").products)
        #expect(exported == PublicFaceRule.products)
    }

    @Test(
        "Platforms and trait are the project's; no setting makes an app's build fail",
        arguments: ["apple", "linux"])
    func settings(platform: String) throws {
        let manifest = try package(platform).manifest
        #expect(manifest.hasPrefix("// swift-tools-version:6.2\n"))
        #expect(manifest.contains("platforms: [.macOS(.v13), .iOS(.v16)],"))
        #expect(manifest.contains(".trait(name: \"DebugFlavor\""))
        #expect(manifest.contains(".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")"))
        for setting in ["treatAllWarnings", "strictMemorySafety", "unsafeFlags"] {
            #expect(!manifest.contains(setting))
        }
    }

    @Test(
        "The package is whole: files for links, the licence, the script to build with, a page with the first program",
        arguments: ["apple", "linux"])
    func contents(platform: String) throws {
        let package = try package(platform)
        #expect(package.links.isEmpty)
        for path in ["LICENSE", "script/maintain/swiftc-without-reflection"] {
            #expect(package.texts[path] != nil && package.texts[path] == Repository.text(of: path))
        }
        let page = try #require(package.texts["README.md"])
        let readme = try #require(Repository.text(of: "README.md"))
        let program = try #require(readme.firstMatch(of: /```swift\n[\s\S]*?```\n/)).output
        #expect(page.contains(program))
        #expect(page.contains("It has not been compiled against Apple's SDK") == (platform == "apple"))
        let manifests = ["MobileAuthentication", "SecureStorage"].map { "Sources/Device/\($0)/PrivacyInfo.xcprivacy" }
        for path in manifests { #expect(package.texts[path] != nil) }
    }

    @Test("What an app's tests and a suite of the SDK read goes with them, what needs the server stays")
    func suites() throws {
        let linux = try package("linux")
        #expect(linux.targets.isSuperset(of: ["FoundationsTests", "AuthenticatorsTests", "MobileAuthenticationTests"]))
        #expect(linux.targets.isDisjoint(with: ["BackendTransportTests", "EndToEndTests", "ArchitectureTests"]))
        #expect(linux.texts["Tests/Interop/jose_exchange.py"] != nil && linux.texts["packaging/pam/signet"] != nil)
        #expect(
            try #require(linux.texts["README.md"]).contains(
                "| `BackendTransportTests` | needs a server to connect to |"))
        #expect(linux.texts.keys.allSatisfy { !$0.hasPrefix("Tests/TestSupport/Server/") })
        let apple = try package("apple")
        #expect(apple.targets.isSuperset(of: ["FoundationsTests", "HardwareKeysTests", "CallSitesSwift5Tests"]))
        #expect(apple.texts.keys.allSatisfy { !$0.hasPrefix("Sources/System/") })
        for (path, text) in apple.texts where path.contains("/Linux/") {
            #expect(!path.hasPrefix("Tests/") && text.hasPrefix("#if os(Linux)\n"), "\(path)")
        }
    }

    @Test("No suite of a form names a type of the tests that the form leaves behind", arguments: ["apple", "linux"])
    func helpers(platform: String) throws {
        let texts = try package(platform).texts.filter { $0.key.hasPrefix("Tests/") && $0.key.hasSuffix(".swift") }
        let left = Repository.files.filter { $0.path.hasPrefix("Tests/TestSupport/") && texts[$0.path] == nil }
        let types = Set(left.flatMap { Self.types(in: $0.text) }).subtracting(texts.values.flatMap(Self.types))
        #expect(types.count > 10 && types.isSuperset(of: platform == "apple" ? ["OwnMemory", "SoftwareTPM"] : []))
        for (path, text) in texts {
            let named = Set(text.matches(of: /\b[A-Z]\w+/).map { String($0.output) }).intersection(types)
            #expect(named.isEmpty, "\(path) names \(named.sorted())")
        }
    }

    /// The types that a file declares for others, without those inside of a type.
    private static func types(in text: String) -> [String] {
        text.matches(of: /(?m)^(?:package )?(?:final )?(?:class|struct|enum|actor|protocol) (\w+)/).map { String($0.1) }
    }

    @Test("A folder that is not empty is refused and stays as it is")
    func fullFolder() throws {
        let folder = try TemporaryFolder()
        #expect(FileManager.default.createFile(atPath: folder.path + "/own.txt", contents: Data()))
        let (status, message) = try ExportedPackage.run(["--platform", "apple", folder.path])
        #expect(status == 1 && message.contains("is not an empty folder"))
        #expect(try folder.names() == ["own.txt"])
    }

    @Test("Wrong arguments are a matter of usage", arguments: [[], ["--platform", "plan9", "/nowhere"], ["a", "b"]])
    func usage(arguments: [String]) throws {
        let (status, message) = try ExportedPackage.run(arguments)
        #expect(status == 64 && message.contains("usage: export-sdk"))
    }
}

/// A package that the script has written, read into memory.
private struct ExportedPackage: Sendable {
    /// The texts of its files by their paths.
    let texts: [String: String]
    /// Paths that are links.
    let links: [String]

    /// Runs the script in an empty folder.
    init(for platform: String) throws {
        let folder = try TemporaryFolder()
        let (status, message) = try Self.run(["--platform", platform, folder.path])
        try #require(status == 0, "\(message)")
        var texts: [String: String] = [:]
        var links: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let whole = folder.path + "/" + path
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: whole)) != nil { links.append(path) }
            if let data = FileManager.default.contents(atPath: whole),
                let text = String(validating: data, as: UTF8.self)
            {
                texts[path] = text
            }
        }
        self.texts = texts
        self.links = links
    }

    var manifest: String { texts["Package.swift"] ?? "" }
    /// The names of the library products.
    var products: Set<String> { names(of: /\.library\(name: "(\w+)"/) }
    /// The names of the targets, system libraries included.
    var targets: Set<String> {
        names(of: /\.(?:target|executableTarget|testTarget|systemLibrary)\(\s*name: "(\w+)"/)
    }

    private func names(of pattern: Regex<(Substring, Substring)>) -> Set<String> {
        Set(manifest.matches(of: pattern).map { String($0.1) })
    }

    /// Status of the script, and what it said on standard error.
    static func run(_ arguments: [String]) throws -> (status: Int32, message: String) {
        let process = Process()
        let errors = Pipe()
        process.executableURL = Repository.root.appending(path: "script/export-sdk")
        process.arguments = arguments
        process.standardError = errors
        try ThreadSignals.unblocked { try process.run() }
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: message, as: UTF8.self))
    }
}
