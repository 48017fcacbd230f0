// The names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

/// Access control: who may use an item, and when.
public final class SecAccessControl: Sendable {
    /// The accessibility.
    public let protection: CFString
    /// Verification that the user has to pass.
    public let flags: SecAccessControlCreateFlags

    init(protection: CFString, flags: SecAccessControlCreateFlags) {
        self.protection = protection
        self.flags = flags
    }
}

/// Makes an access control.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    (protection as? String).map { SecAccessControl(protection: $0, flags: flags) }
}
