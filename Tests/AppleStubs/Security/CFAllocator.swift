/// The allocator of Core Foundation; the sources never make one.
public enum CFAllocator: Sendable {}
