/// Only products have a public face, and no type of another package shows in it.
enum PublicFaceRule {
    /// The library products.
    static let products: Set<String> = [
        "MobileAuthentication", "MobileAuthenticationTestKit", "HardwareKeys", "HardwareKeysApple", "HardwareKeysTPM",
        "SecureStorage", "Argon2KeyDerivation", "UserVerificationLinux", "UAF", "JOSE", "BackendAPI",
        "NevisMobileAuthentication", "TamperGuards",
    ]
    /// What a public signature may name besides the standard library.
    static let modules: Set<String> = products.union([
        "Octets", "Foundation", "FoundationEssentials", "FoundationNetworking",
    ])

    static func violations(in file: SourceFile) -> [Violation] {
        let foreign = file.imports.filter { $0.isPublic && !modules.contains($0.module) }.map {
            Violation(file.path, $0.line, "\($0.module) in the public face")
        }
        guard !products.contains(file.target) else { return foreign }
        return foreign
            + file.violations(
                of: "public outside a product", naming: "public", "open",
                where: /^\s*(@\w+ )*(public|open) (?!import)/)
    }
}
