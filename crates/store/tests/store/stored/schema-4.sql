--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    id text NOT NULL,
    email text NOT NULL,
    password_hash text,
    plan text NOT NULL,
    is_owner bigint NOT NULL,
    created_at bigint NOT NULL,
    disabled_at bigint
);


--
-- Name: audit_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_events (
    seq bigint NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    is_failure bigint NOT NULL,
    account_id text,
    actor_id text,
    address text,
    detail text
);


--
-- Name: audit_events_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit_events ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_events_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: change_counter; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.change_counter (
    id bigint NOT NULL,
    n bigint NOT NULL,
    CONSTRAINT change_counter_id_check CHECK ((id = 1))
);


--
-- Name: changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.changes (
    n bigint NOT NULL,
    account_id text NOT NULL
);


--
-- Name: idempotency; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency (
    account_id text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    status bigint,
    content_type text,
    body bytea,
    stored_to bigint
);


--
-- Name: images; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.images (
    id text NOT NULL,
    account_id text NOT NULL,
    media_type text NOT NULL,
    width bigint NOT NULL,
    height bigint NOT NULL,
    bytes bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.keys (
    id text NOT NULL,
    account_id text NOT NULL,
    hash bytea NOT NULL,
    mode text NOT NULL,
    label text,
    scopes bigint NOT NULL,
    prefix text NOT NULL,
    last_four text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint,
    last_used_from text
);


--
-- Name: recipes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recipes (
    seq bigint NOT NULL,
    id text NOT NULL,
    account_id text NOT NULL,
    name text NOT NULL,
    calories double precision NOT NULL,
    protein double precision NOT NULL,
    carbs double precision NOT NULL,
    fat double precision NOT NULL,
    serving_description text,
    aliases text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);


--
-- Name: recipes_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.recipes ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.recipes_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: recovery_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recovery_codes (
    account_id text NOT NULL,
    code_hash bytea NOT NULL
);


--
-- Name: schema_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_versions (
    version bigint NOT NULL,
    name text NOT NULL
);


--
-- Name: second_factors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.second_factors (
    account_id text NOT NULL,
    secret bytea NOT NULL,
    created_at bigint NOT NULL,
    last_step bigint NOT NULL
);


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    id text NOT NULL,
    token_hash bytea NOT NULL,
    account_id text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    user_agent text,
    address text,
    last_seen_at bigint DEFAULT 0 NOT NULL,
    confirmed_at bigint DEFAULT 0 NOT NULL,
    is_by_link bigint DEFAULT 0 NOT NULL
);


--
-- Name: sign_in_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_challenges (
    token_hash bytea NOT NULL,
    account_id text NOT NULL,
    is_by_link bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    token_hash bytea NOT NULL,
    account_id text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);


--
-- Name: usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.usage (
    account_id text NOT NULL,
    day text NOT NULL,
    key_id text NOT NULL,
    route text NOT NULL,
    status text NOT NULL,
    mode text NOT NULL,
    latency_bucket bigint NOT NULL,
    requests bigint NOT NULL
);


--
-- Name: write_check; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.write_check (
    id bigint NOT NULL,
    at bigint NOT NULL,
    CONSTRAINT write_check_id_check CHECK ((id = 1))
);


--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.accounts VALUES ('acc_CrBhKUWzeGKhzZd2BajO6G', 'grace@example.org', NULL, 'free', 0, 1794744001000000, 1794744002000000);
INSERT INTO public.accounts VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', 'ada@example.org', '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$bm90IGEgcmVhbCBoYXNo', 'pro', 1, 1794744000000000, NULL);


--
-- Data for Name: audit_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_events OVERRIDING SYSTEM VALUE VALUES (1, 1794744021000000, 'signed_in', 0, 'acc_5FTzwFP7TWfqlukzdcMgND', NULL, NULL, 'password');


--
-- Data for Name: change_counter; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.change_counter VALUES (1, 7);


--
-- Data for Name: changes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.changes VALUES (1, 'acc_5FTzwFP7TWfqlukzdcMgND');
INSERT INTO public.changes VALUES (2, 'acc_CrBhKUWzeGKhzZd2BajO6G');
INSERT INTO public.changes VALUES (3, 'acc_CrBhKUWzeGKhzZd2BajO6G');
INSERT INTO public.changes VALUES (4, 'acc_5FTzwFP7TWfqlukzdcMgND');
INSERT INTO public.changes VALUES (5, 'acc_5FTzwFP7TWfqlukzdcMgND');
INSERT INTO public.changes VALUES (6, 'acc_5FTzwFP7TWfqlukzdcMgND');
INSERT INTO public.changes VALUES (7, 'acc_5FTzwFP7TWfqlukzdcMgND');


--
-- Data for Name: idempotency; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotency VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', 'order-1', '\x0707070707070707070707070707070707070707070707070707070707070707', 1794744007000000, 1794744008000000, 201, 'application/json', '\x7b226964223a227263705f59456c7a69377a34773266386645705a62437459556b227d', NULL);


--
-- Data for Name: images; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.images VALUES ('img_i0FSAKHjh2EgIQQa43BRwp', 'acc_5FTzwFP7TWfqlukzdcMgND', 'image/jpeg', 1024, 768, 123456, 1794744009000000, 1794830409000000);


--
-- Data for Name: keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.keys VALUES ('key_jMbgJdaKCeXTuGg41cyNOG', 'acc_5FTzwFP7TWfqlukzdcMgND', '\x434b20a11324a98eb3a799db488ff1b1489a14dabec02bbe585d881c3385b4cb', 'test', NULL, 31, 'svc_test_ddKg', 'poDQ', 1794744004000000, NULL, 1794744005000000, NULL, NULL);
INSERT INTO public.keys VALUES ('key_IJg3tJvi2Xl7kuvlIA5prf', 'acc_5FTzwFP7TWfqlukzdcMgND', '\x4e0b8e570d25afd37a79ba7d6e1ecc2ee9f26023a0db1786d5a66d323035f2b3', 'live', 'kitchen', 5, 'svc_live_Fy6q', 'O8Qm', 1794744003000000, 1794830400000000, NULL, 1794744006000000, '192.0.2.7');


--
-- Data for Name: recipes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recipes OVERRIDING SYSTEM VALUE VALUES (1, 'rcp_YElzi7z4w2f8fEpZbCtYUk', 'acc_5FTzwFP7TWfqlukzdcMgND', 'Omas „Küche“', 350, 12.5, 40.25, 0.1, '1 slice (120 g)', '["the usual","pie \"quoted\""]', 1794744008000000, 1794744008000000);


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x4d7602f5d0f428f87414cf4d74343f552b2a9fcc188dbdaec98be63f65b3c6fd');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\xc2484924eeb9061f46a2b4b7fb8bba9c12f4bb442ec4ea55dbadc7ea36275b20');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x51fc57697a26114fff971b6ac5d062423dd1ecf2310baeb7e3241d619e266571');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x851823e646636c88188b0bdc77dc892f78158cccc3d721833c30bbdf4dd9f7e6');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\xbecd90fe50ccabfebf91d6be2b39014ab0c7fcc146aeb7e666465577fdbde347');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\xb6a85828651f04dc16b1675c006c50495ce7566d6d1fe9630cea442e0d2cfa9b');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x36c8e912e6bbd4c045801322289e5ab4fc1503e91a0ffb1875b0b47c8e1852c8');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\xa212e8c82db6fd5d58847745f5518046010d211df62b2e0df1a5beeede0b8dfe');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x261e9b57db86ba1e0187af3cf49b87bb81f3f2d94dd637c4f19b8b0e9c1f3565');
INSERT INTO public.recovery_codes VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\xf48fb0b91c4b9c8daec7c136168aae7953f33fb937c68876d160c43ed49338e0');


--
-- Data for Name: schema_versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_versions VALUES (1, 'initial');
INSERT INTO public.schema_versions VALUES (2, 'dashboard');
INSERT INTO public.schema_versions VALUES (3, 'trail');
INSERT INTO public.schema_versions VALUES (4, 'second_factor');


--
-- Data for Name: second_factors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.second_factors VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '\x0707070707070707070707070707070707070707', 1794744020000000, 100);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions VALUES ('ses_EUd7LkNjVnbaSppAidpISy', '\x9fb47be1f7551bce026a05e019527693458211c834f51c083532a1df933b8b5b', 'acc_5FTzwFP7TWfqlukzdcMgND', 1794744011000000, 1794830400000000, 'Browser 1.0', '192.0.2.8', 1794744011000000, 0, 0);


--
-- Data for Name: sign_in_challenges; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sign_in_links VALUES ('\x194bc2510ce6e82281b88bca652a7563e4dd68e145964987cfd1adc650697d9e', 'acc_5FTzwFP7TWfqlukzdcMgND', 1794744010000000, 1794830400000000);


--
-- Data for Name: usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.usage VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '2026-11-14', 'key_IJg3tJvi2Xl7kuvlIA5prf', '/v1/estimate', '2xx', 'live', 9, 40);
INSERT INTO public.usage VALUES ('acc_5FTzwFP7TWfqlukzdcMgND', '2026-11-15', 'key_IJg3tJvi2Xl7kuvlIA5prf', '/v1/estimate', '429', 'live', 9, 2);


--
-- Data for Name: write_check; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.write_check VALUES (1, 0);


--
-- Name: audit_events_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.audit_events_seq_seq', 1, true);


--
-- Name: recipes_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.recipes_seq_seq', 1, true);


--
-- Name: accounts accounts_email_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);


--
-- Name: audit_events audit_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_events
    ADD CONSTRAINT audit_events_pkey PRIMARY KEY (seq);


--
-- Name: change_counter change_counter_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.change_counter
    ADD CONSTRAINT change_counter_pkey PRIMARY KEY (id);


--
-- Name: changes changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (n);


--
-- Name: idempotency idempotency_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (account_id, key);


--
-- Name: images images_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.images
    ADD CONSTRAINT images_pkey PRIMARY KEY (id);


--
-- Name: keys keys_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_hash_key UNIQUE (hash);


--
-- Name: keys keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_pkey PRIMARY KEY (id);


--
-- Name: recipes recipes_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recipes
    ADD CONSTRAINT recipes_id_key UNIQUE (id);


--
-- Name: recipes recipes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recipes
    ADD CONSTRAINT recipes_pkey PRIMARY KEY (seq);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash);


--
-- Name: schema_versions schema_versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (version);


--
-- Name: second_factors second_factors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (account_id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);


--
-- Name: sign_in_challenges sign_in_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_challenges
    ADD CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (token_hash);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (token_hash);


--
-- Name: usage usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_pkey PRIMARY KEY (account_id, day, key_id, route, status, mode, latency_bucket);


--
-- Name: write_check write_check_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.write_check
    ADD CONSTRAINT write_check_pkey PRIMARY KEY (id);


--
-- Name: audit_events_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_by_age ON public.audit_events USING btree (at);


--
-- Name: audit_events_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_events_of_account ON public.audit_events USING btree (account_id, seq);


--
-- Name: idempotency_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_by_age ON public.idempotency USING btree (started_at);


--
-- Name: idempotency_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_of_account ON public.idempotency USING btree (account_id, stored_to);


--
-- Name: images_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX images_by_expiry ON public.images USING btree (expires_at);


--
-- Name: images_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX images_of_account ON public.images USING btree (account_id);


--
-- Name: keys_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX keys_of_account ON public.keys USING btree (account_id, created_at);


--
-- Name: recipes_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX recipes_of_account ON public.recipes USING btree (account_id, created_at, seq);


--
-- Name: sessions_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);


--
-- Name: sessions_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_of_account ON public.sessions USING btree (account_id);


--
-- Name: sign_in_challenges_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_challenges_by_expiry ON public.sign_in_challenges USING btree (expires_at);


--
-- Name: sign_in_challenges_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_challenges_of_account ON public.sign_in_challenges USING btree (account_id);


--
-- Name: sign_in_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_by_expiry ON public.sign_in_links USING btree (expires_at);


--
-- Name: sign_in_links_of_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_of_account ON public.sign_in_links USING btree (account_id);


--
-- Name: usage_by_day; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX usage_by_day ON public.usage USING btree (day);


--
-- Name: idempotency idempotency_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency
    ADD CONSTRAINT idempotency_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: keys keys_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.keys
    ADD CONSTRAINT keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: recipes recipes_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recipes
    ADD CONSTRAINT recipes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: recovery_codes recovery_codes_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: second_factors second_factors_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: sessions sessions_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: sign_in_challenges sign_in_challenges_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_challenges
    ADD CONSTRAINT sign_in_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: sign_in_links sign_in_links_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- Name: usage usage_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.usage
    ADD CONSTRAINT usage_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


