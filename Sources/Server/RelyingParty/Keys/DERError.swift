/// Bytes are not the distinguished encoding of what had to stand here (X.690, 10).
struct DERError: Error, Hashable, Sendable {}
