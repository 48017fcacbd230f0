import Testing

/// Each rule accepts a good sample and refuses a bad one; ``RepositoryTests`` then applies them to the package.
@Suite("Every rule catches what it is for")
struct RuleTests {
    private func file(_ text: String, path: String = "Sources/Protocol/UAF/Sample.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test("An import that the table does not list is refused")
    func imports() {
        let table = ImportTable.repository
        #expect(table.violations(in: file("import Octets\npackage import Crypto\n")).isEmpty)
        #expect(table.violations(in: file("import RelyingParty\n")).count == 1)
        #expect(table.violations(in: file("@_exported public import Foundation\n")).count == 1)
        #expect(table.violations(in: file("import struct Foundation.Data\n")).count == 1)
        #expect(table.violations(in: file("", path: "Sources/Server/Unheard/File.swift")).count == 1)
    }

    @Test("Full Foundation is refused but in the file that needs it")
    func foundation() {
        let normalization = "Sources/Device/Authenticators/UserSecret.swift"
        let other = "Sources/Device/Authenticators/Other.swift"
        #expect(ImportTable.repository.violations(in: file("import Foundation\n", path: normalization)).isEmpty)
        #expect(ImportTable.repository.violations(in: file("import Foundation\n", path: other)).count == 1)
    }

    @Test("An arrow from the protocol upwards or between phone and server is refused")
    func arrows() {
        var table = ImportTable.repository
        #expect(table.arrowsAgainstTheRule.isEmpty)
        table.rows["UAF"]?.targets.insert("RelyingParty")
        table.rows["ServerCore"]?.targets.insert("MobileAuthentication")
        #expect(table.arrowsAgainstTheRule.sorted() == ["ServerCore -> MobileAuthentication", "UAF -> RelyingParty"])
    }

    @Test("Apple's frameworks are for the adapters that name them, and no target leans on the stubs")
    func appleFrameworks() {
        var table = ImportTable.repository
        let text = "#if canImport(Security)\n    import Security\n#endif\n"
        let vault = "Sources/Device/HardwareKeysApple/Sample.swift"
        #expect(table.violations(in: file(text, path: vault)).isEmpty)
        #expect(table.violations(in: file(text, path: "Sources/Device/HardwareKeys/Sample.swift")).count == 1)
        table.rows["HardwareKeys"]?.targets.insert("Security")
        #expect(table.arrowsAgainstTheRule == ["HardwareKeys -> Security"])
    }

    @Test("A file over its budget is refused; tables of registry values may be longer")
    func fileSize() {
        let long = String(repeating: "\n", count: 401)
        #expect(SizeRule.violations(in: file(long)).count == 1)
        #expect(SizeRule.violations(in: file(long, path: "Sources/Protocol/UAF/Registry/Sample.swift")).isEmpty)
        #expect(SizeRule.violations(in: file(long, path: "Tests/UAFTests/SampleTests.swift")).isEmpty)
    }

    @Test("A function with too many lines, parameters or levels is refused")
    func functionSize() {
        let lines = "func f() {\n" + String(repeating: "    a()\n", count: 41) + "}\n"
        let parameters = "func f(a: A, b: A, c: A, d: A, e: A, f: A, g: A) { a() }\n"
        let levels = "func f() { a { b { c { d { e { f() } } } } } }\n"
        for source in [lines, parameters, levels] { #expect(SizeRule.violations(in: file(source)).count == 1) }
        #expect(SizeRule.violations(in: file("func f(a: A) {\n    if a { b() }\n}\n")).isEmpty)
    }

    @Test(
        "What traps is refused",
        arguments: [
            "try! f()", "a.try! f()", "x as! Y", "x.y!.z", "f()![0]", "fatalError()", "var a: A!",
            "a.prefix(through: i)", "a.prefix( upTo: i)", "a.suffix(from: i)", "a.unsafelyUnwrapped",
            "Dictionary(uniqueKeysWithValues: a)", "unowned let a: A",
        ])
    func traps(source: String) {
        #expect(TrapRule.violations(in: file(source)).count == 1)
    }

    @Test(
        "What does not trap is accepted",
        arguments: [
            "a != b", "!a", "try f()", "x as? Y", "\"x!\"", "// try! it", "a.prefix(3)", "a.suffix(2)",
            "a.prefix { $0 }", "Dictionary(a) { first, _ in first }", "x.asUnownedSerialExecutor()", "unownedExecutor",
        ])
    func noTraps(source: String) {
        #expect(TrapRule.violations(in: file(source)).isEmpty)
    }

    @Test("Names that fit anything are refused", arguments: ["KeyManager", "StringUtils", "BaseStore", "UserInfo"])
    func names(name: String) {
        #expect(NameRule.violations(in: file("struct \(name) {}")).count == 1)
        #expect(NameRule.violations(in: file("", path: "Sources/Protocol/UAF/\(name).swift")).count == 1)
        #expect(NameRule.violations(in: file("", path: "Sources/Protocol/UAF/\(name)/A.swift")).count == 1)
    }

    @Test(
        "Names of the specification are accepted", arguments: ["AssertionInfo", "Base64URL", "LocalData", "Database"])
    func specifiedNames(name: String) {
        #expect(NameRule.violations(in: file("struct \(name) {}")).isEmpty)
    }

    @Test("A folder with too many files and a file name that occurs twice in a layer are refused")
    func fileShapes() {
        func violations(_ paths: [String]) -> [String] {
            FileShapeRule.violations(in: paths.map { file("", path: "Sources/\($0).swift") }).map(\.path)
        }
        let full = (0..<25).map { "Server/Sample/File\($0)" }
        #expect(violations(full).isEmpty)
        #expect(violations(full + ["Server/Sample/File25"]) == ["Sources/Server/Sample"])
        #expect(violations(["Server/One/Sample", "Device/One/Sample"]).isEmpty)
        #expect(
            violations(["Server/One/Sample", "Server/Two/Sample"])
                == ["Sources/Server/One/Sample.swift", "Sources/Server/Two/Sample.swift"])
    }

    @Test("A type name in two targets is refused")
    func typeNames() {
        func sample(_ target: String, _ text: String) -> SourceFile {
            file(text, path: "Sources/Server/\(target)/Sample.swift")
        }
        func violations(_ files: SourceFile...) -> [String] {
            TypeNameRule.violations(in: files).map(\.path)
        }
        let token = sample("ServerCore", "package struct Token {}\n")
        let other = sample("ServerHTTP", "enum Token {\n    struct Kind {}\n}\n")
        #expect(violations(token, other) == [token.path, other.path])
        #expect(violations(token, token).isEmpty)
        #expect(violations(token, sample("ServerHTTP", "private struct Token {}\nextension Token {}\n")).isEmpty)
        #expect(violations(token, sample("ServerHTTP", "enum Kind {\n    struct Token {}\n}\n")).isEmpty)
    }

    @Test(
        "A reference that a reader cannot follow is refused",
        arguments: [
            "// See sdk-api, 5.", "/// Fields of backend-http-api.", "let a = 1  // Check 12.", "// checks 3 and 4",
            "/// As SRV-10 demands.", "// S-H1", "/* O-J5 */", "// structure 4", "/// In notes/elsewhere.md.",
            "// secure-storage.txt, platform-notes",
        ])
    func references(source: String) {
        #expect(ReferenceRule.violations(in: file(source), known: ["architecture.md"]).count == 1)
    }

    @Test(
        "A reference to a public standard, a file of the repository or a test is accepted",
        arguments: [
            "/// FIDO UAF Protocol 1.1, 3.4.6.5.", "// docs/contribute/architecture.md says why.",
            "// RegistrationKeyTests",
            "// SHA-256", "let path = \"sdk-api.md\"", "// The checks of 3.4.6.5.", "// RFC 7515", "/// S-Box 12",
        ])
    func resolved(source: String) {
        #expect(ReferenceRule.violations(in: file(source), known: ["architecture.md"]).isEmpty)
    }

    @Test("A documentation comment that begins with a question is refused")
    func questions() {
        func lines(_ text: String) -> [Int] {
            ReferenceRule.violations(in: file(text), known: []).map(\.line)
        }
        for word in ["What", "Who", "How", "Where", "Why", "When"] {
            #expect(lines("import A\n\n/// \(word) the key is.\nlet a: A\n") == [3])
        }
        #expect(lines("/// Place of the key.\n/// Where it is, no file says.\nlet a: A\n").isEmpty)
        #expect(lines("// When it is late.\nlet a: A\n").isEmpty)
        #expect(lines("/// Whether it is late.\nlet a: A\n/// Whatever comes.\nlet b: B\n").isEmpty)
    }

    @Test(
        "Unfinished work is refused",
        arguments: ["// TO" + "DO: later", "// Place" + "holder.", "// let x = 1", "// not imple" + "mented yet"])
    func unfinished(comment: String) {
        #expect(FinishedWorkRule.violations(in: file(comment)).count == 1)
        #expect(FinishedWorkRule.violations(in: file("// The reason is given in 3.4.6.")).isEmpty)
    }

    @Test("A line of a comment that is there twice is refused, also when it was broken elsewhere")
    func repeatedComment() {
        let line = "/// The vault asks for a proof before it signs"
        #expect(FinishedWorkRule.violations(in: file(line + " a\n" + line + "\n/// a message.\n")).count == 1)
        #expect(FinishedWorkRule.violations(in: file(line + "\n/// a message of the server.\n")).isEmpty)
        #expect(FinishedWorkRule.violations(in: file("///\n///\nlet a = 1 // b\nlet c = 1 // b\n")).isEmpty)
    }

    @Test(
        "What decides is refused in the storage, and nowhere else",
        arguments: [
            "try chain.append(AuditEvent(.targetCreated, at: now), connection)", "record.kind = .deregistration",
            "var machine = CeremonyMachine(operation, progress, at: now)", "let progress = operation.machine(at: now)",
            "guard count < settings.maximumCredentialCount else { return }", "let start = now - limits.window",
            "let limits: OperationLimits", "if let end = quietHours.end(at: now), let hours: QuietHours",
            "return CommitRefusal.userInactive", "throw RedeemRefusal.expired",
            #"let all = "SELECT name FROM users ORDER BY name""#,
            "let all = \"\"\"\n    SELECT DISTINCT chain_id\n    FROM audit_records\n    \"\"\"",
        ])
    func deciding(source: String) {
        let storage = ["ServerPersistence/Sample.swift", "ServerPersistenceSQLite/Sample.swift"]
        for path in storage {
            #expect(!PersistenceRule.violations(in: file(source, path: "Sources/Server/" + path)).isEmpty)
        }
        #expect(PersistenceRule.violations(in: file(source, path: "Sources/Server/ServerCore/Sample.swift")).isEmpty)
    }

    @Test(
        "Statements, conditions and pieces of a table are accepted in the storage",
        arguments: [
            "func append(_ event: AuditEvent) throws(ServerTransactionFailure) {", "WHERE status = 'active'",
            "func delete(before time: Timestamp, limit: Int) -> Int {", "if event.kind == other.kind { a() }",
            "// The limits are judged by a rule.", #"let page = "SELECT name FROM users ORDER BY name LIMIT $1""#,
            #"let one = "SELECT name FROM users WHERE id = $1""#, #"let keys = "SELECT id FROM server_keys""#,
        ])
    func keeping(source: String) {
        let path = "Sources/Server/ServerPersistence/Sample.swift"
        #expect(PersistenceRule.violations(in: file(source, path: path)).isEmpty)
    }

    @Test(
        "A name that only reflection metadata has is refused in the SDK and the phone's commands, and nowhere else",
        arguments: [
            "Mirror(reflecting: a).children", "String(reflecting: a)", "dump(a)", "debugPrint(a)", "\"a \\(error)\"",
            "\"\\(self) a\"", "String(describing: failure)",
        ])
    func reflecting(source: String) {
        for path in ["Sources/Device/UAFClient/Sample.swift", "Sources/Commands/DeviceCommands/Sample.swift"] {
            #expect(ReflectionRule.violations(in: file(source, path: path)).count == 1)
        }
        #expect(ReflectionRule.violations(in: file(source, path: "Sources/Server/ServerCore/Sample.swift")).isEmpty)
    }

    @Test(
        "Names that are written out are accepted",
        arguments: [
            "Mirror(self, children: [])", "\"a \\(error.description)\"", "\"\\(value)\"", "throw(error)",
            "self.init(error)", "String(describing: cause)", "\"\\(level.rawValue)\"",
        ])
    func describing(source: String) {
        let path = "Sources/Device/UAFClient/Sample.swift"
        #expect(ReflectionRule.violations(in: file(source, path: path)).isEmpty)
    }

    @Test("Unstructured or unproven concurrency is refused")
    func concurrency() {
        for source in [
            "DispatchQueue.main", "_ = Task.detached {}", "x.DispatchQueue.main", "class A: @unchecked Sendable {}",
            "static let shared = A()", "private static let stored = Lock(Facts())",
            "static let last: Mutex<Int?> = Mutex(nil)",
        ] {
            #expect(ConcurrencyRule.violations(in: file(source)).count == 1)
        }
        #expect(ConcurrencyRule.violations(in: file("// Immutable.\nclass A: @unchecked Sendable {}")).isEmpty)
    }

    @Test(
        "Secrets in the wrong place are refused",
        arguments: [
            #"logger.info("user \(pin)")"#, "extension SecretOctets: CustomStringConvertible {}", "print(x)",
            "@Option var pin: String", "if pin == other {", "if secret.octets == other {",
            "    let token: String", "private var shownDigits: String?", "public let cookies: [HTTPCookie]",
            "    package private(set) var jwt: String = a",
        ])
    func secrets(source: String) {
        #expect(SecretRule.violations(in: file(source)).count == 1)
    }

    @Test(
        "A secret that a printed value does not show is accepted",
        arguments: [
            "    let token: Sensitive<String>", "    public var token: String { sensitiveToken.reveal() }",
            "struct A {\n    let token: String\n}\nextension A: CustomReflectable {}",
        ])
    func heldSecrets(source: String) {
        #expect(SecretRule.violations(in: file(source)).isEmpty)
    }

    @Test("Errors that carry bytes are refused")
    func errors() {
        let path = "Sources/Protocol/UAF/SampleError.swift"
        #expect(SecretRule.violations(in: file("enum SampleError {\n    case a([UInt8])\n}", path: path)).count == 1)
        #expect(SecretRule.violations(in: file("enum SampleError {\n    case a(Int)\n}", path: path)).isEmpty)
        let two = "enum Sample {\n    case a([UInt8])\n}\nenum SampleError {\n    case a(SecretBytes)\n}"
        #expect(SecretRule.violations(in: file(two)).map(\.line) == [5])
    }

    @Test(
        "An interface newer than iOS 16 and macOS 13 is refused in what devices run",
        arguments: [
            "import Synchronization", "let a = Mutex(0)", "@Observable final class A {}", "a.span", "let a: Int128 = 1",
            "let a = String(validating: b, as: UTF8.self)", "func enqueue(_ job: consuming ExecutorJob) {}",
            "await withDiscardingTaskGroup { _ in }", "context.domainState", "isolated deinit {}",
            "struct Pack<each Element> {}", "let a: any AsyncSequence<Int, Never>", "let a: @isolated(any) () -> Void",
        ])
    func newerInterfaces(source: String) {
        #expect(DeploymentRule.violations(in: file(source)).count == 1)
        #expect(DeploymentRule.violations(in: file(source, path: "Sources/Server/ServerCore/Sample.swift")).isEmpty)
    }

    @Test(
        "What iOS 16 and macOS 13 have is accepted, and what is newer where a file guards it",
        arguments: [
            "import Locking", "let a = Lock(0)", "let a: Duration = .seconds(1)", "ContinuousClock().now",
            "URL(filePath: a)", "a.contains(/b/)", "func f<each A>(_ a: repeat each A) {}",
            "let a: any AsyncSequence<Int>", "String(validUTF8: a)", "AsyncStream<Int>.makeStream()",
        ])
    func olderInterfaces(source: String) {
        #expect(DeploymentRule.violations(in: file(source)).isEmpty)
        let lock = file("private let mutex: Mutex<Int>", path: "Sources/Protocol/Locking/Lock.swift")
        #expect(DeploymentRule.violations(in: lock).isEmpty)
        #expect(DeploymentRule.idleGuards(in: [lock]).contains("Sources/Protocol/Locking/Lock.swift: Synchronization"))
        #expect(!DeploymentRule.idleGuards(in: [lock]).contains("Sources/Protocol/Locking/Lock.swift: Mutex"))
    }

    @Test("Public declarations outside the products and foreign types in their face are refused")
    func publicFace() {
        let server = "Sources/Server/ServerCore/Sample.swift"
        #expect(PublicFaceRule.violations(in: file("public struct Sample {}", path: server)).count == 1)
        #expect(PublicFaceRule.violations(in: file("package struct Sample {}", path: server)).isEmpty)
        #expect(PublicFaceRule.violations(in: file("public import Crypto")).count == 1)
        #expect(PublicFaceRule.violations(in: file("public import Octets\npublic struct Sample {}")).isEmpty)
    }

    @Test("Paths with blanks and paths of one machine are refused")
    func paths() {
        #expect(PathRule.violations(inPath: "Sources/A+B-c.swift").isEmpty)
        #expect(PathRule.violations(inPath: "Sources/A b.swift").count == 1)
        #expect(PathRule.violations(inText: "cd \("/home")/me/signet", at: "README.md").count == 1)
        #expect(PathRule.violations(inText: "cd ../shared", at: "README.md").isEmpty)
    }
}
