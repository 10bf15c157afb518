# Builds Gazette into an image that runs without root on a read-only file system; /data holds the database.
# --build-arg REQUIREMENTS=requirements-llm.txt adds what a language model needs.
FROM python:3.13-slim AS build
ARG REQUIREMENTS=requirements.txt
WORKDIR /src
RUN python -m venv /opt/gazette
COPY requirements.txt requirements-llm.txt ./
RUN /opt/gazette/bin/pip install --no-cache-dir --require-hashes -r "$REQUIREMENTS"
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY templates templates
COPY migrations migrations
RUN /opt/gazette/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 gazette && install -d -o gazette -g gazette /data
COPY --from=build /opt/gazette /opt/gazette
ENV PATH=/opt/gazette/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MPLCONFIGDIR=/tmp/matplotlib \
    GAZETTE_DATABASE_URL=sqlite:////data/gazette.sqlite3 \
    GAZETTE_WEB_HOST=0.0.0.0
USER gazette
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=4)"]
ENTRYPOINT ["gazette"]
CMD ["run", "--web"]
