/// The allocator of Core Foundation; nobody makes one.
public enum CFAllocator: Sendable {}
