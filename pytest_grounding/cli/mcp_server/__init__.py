"""The validation core as tools of the Model Context Protocol, over standard input and output.

The tools (`tools`) know nothing of the protocol; `server` is the only module that imports the SDK, which
comes with the extra ``mcp``. No call writes a file, opens a connection or runs code of its caller's choice;
the only folder that a call can read is the source root that the server was started with.
"""
